Attribute VB_Name = "menus"
'Texts and menus of the ribbon. Hand-written. Private, so that nothing here shows among Excel's functions.
Option Explicit
Option Private Module

Private Const NAMESPACE_ As String = "http://schemas.microsoft.com/office/2009/07/customui"

'Label (0) or tip (1) of a control.
Public Function RibbonText(ByVal id As String, ByVal which As Long) As String
    Dim texts As Variant
    Select Case id
        Case "functions": texts = Array(Say("Functions", "Funciones"), Say("Inserts a function with example arguments", "Inserta una función con argumentos de ejemplo"))
        Case "templates": texts = Array(Say("Templates", "Plantillas"), Say("Makes a new workbook for a statute", "Crea un libro nuevo para una ley"))
        Case "explain": texts = Array(Say("Explain cell", "Explicar celda"), Say("Every step of the active cell's PR_ call, with its citation, at the side", "Cada paso de la llamada PR_ de la celda activa, con su cita, al lado"))
        Case "freeze": texts = Array(Say("Freeze and stamp", "Congelar y sellar"), Say("PR_ formulas become values; version, law date, user and time go to the Audit sheet", "Las fórmulas PR_ pasan a valores; versión, fecha de la ley, usuario y hora quedan en la hoja Audit"))
        Case "check": texts = Array(Say("Check workbook", "Revisar libro"), Say("Computes the saved file anew and lists what differs", "Calcula de nuevo el archivo guardado y lista lo que difiere"))
        Case "selftest": texts = Array(Say("Self-test", "Autoprueba"), Say("Known values against the functions", "Valores conocidos contra las funciones"))
        Case "language": texts = Array(Say("Language", "Idioma"), Say("Of this ribbon and of the function wizard", "De esta cinta y del asistente de funciones"))
        Case "about": texts = Array(Say("About", "Acerca de"), Say("Version, law date, and why something does not work", "Versión, fecha de la ley y por qué algo no funciona"))
        Case "diagnose": texts = Array(Say("Diagnose", "Diagnóstico"), Say("Looks for what can go wrong between Excel and Python", "Busca lo que puede fallar entre Excel y Python"))
        Case "links": texts = Array(Say("Repair links", "Reparar enlaces"), Say("Points formulas that name another machine's add-in to this one", "Dirige a este complemento las fórmulas que nombran el de otro equipo"))
        Case "restart": texts = Array(Say("Restart Python", "Reiniciar Python"), Say("Starts the Python process anew at the next call", "Inicia de nuevo el proceso de Python en la próxima llamada"))
        Case "work": texts = Array(Say("Surcharges, interest, penalties", "Recargos, intereses, penalidades"), "")
        Case "proof": texts = Array(Say("Proof", "Prueba"), "")
        Case "help": texts = Array(Say("Help", "Ayuda"), "")
        Case Else: texts = Array(id, "")
    End Select
    RibbonText = texts(which)
End Function

'A menu of every function, by statute.
Public Function FunctionsMenu() As String
    Dim entry As Variant
    Dim heading As String
    Dim xml As String
    Dim number As Long
    xml = "<menu xmlns=""" & NAMESPACE_ & """>"
    For Each entry In Catalogue()
        If entry(1) <> heading Then
            If heading <> "" Then xml = xml & "</menu>"
            heading = entry(1)
            number = number + 1
            xml = xml & "<menu id=""group" & number & """ label=""" & Escaped(heading) & """>"
        End If
        xml = xml & "<button id=""" & entry(0) & """ label=""" & entry(0) & """ tag=""" & Escaped(entry(2)) _
            & """ supertip=""" & Escaped(entry(3)) & """ onAction=""Recargos_Insert""/>"
    Next entry
    FunctionsMenu = xml & "</menu></menu>"
End Function

'rows: name and title of each template.
Public Function TemplatesMenu(ByVal templates As Variant) As String
    Dim xml As String
    Dim i As Long
    xml = "<menu xmlns=""" & NAMESPACE_ & """>"
    For i = LBound(templates, 1) To UBound(templates, 1)
        xml = xml & "<button id=""template" & i & """ label=""" & Escaped(templates(i, 1)) & """ tag=""" & Escaped(templates(i, 0)) & """ onAction=""Recargos_Template""/>"
    Next i
    TemplatesMenu = xml & "</menu>"
End Function

'A menu that only says why there is no other.
Public Function EmptyMenu(ByVal why As String) As String
    EmptyMenu = "<menu xmlns=""" & NAMESPACE_ & """><button id=""noTemplates"" enabled=""false"" label=""" & Escaped(Left$(why, 80)) & """/></menu>"
End Function

Public Function Escaped(ByVal text As String) As String
    text = Replace(text, "&", "&amp;")
    text = Replace(text, "<", "&lt;")
    text = Replace(text, ">", "&gt;")
    Escaped = Replace(text, """", "&quot;")
End Function
