Attribute VB_Name = "actions"
'What the ribbon does. Hand-written. The tests run all of it without Excel; what only Excel shows is in docs/excel-smoke-test.md.
Option Explicit
Option Private Module

Private Const FORMULAS As Long = -4123   'xlCellTypeFormulas

'------------------------------------------------------------------------------------------------- insert a function

Public Sub InsertFormula(ByVal formula As String)
    If Not IsEmpty(ActiveCell.Value) Then
        If Not Confirmed(Say("The cell is not empty. Replace what it holds?", "La celda no está vacía. ¿Reemplazar lo que contiene?")) Then Exit Sub
    End If
    Enter ActiveCell, "=" & formula
End Sub

'A formula that may spill. Excel before dynamic arrays has no Formula2.
Public Sub Enter(ByVal target As Range, ByVal formula As String)
    On Error GoTo older
    target.Formula2 = formula
    Exit Sub
older:
    target.formula = formula
End Sub

'-------------------------------------------------------------------------------------------------------- explain

'PR_EXPLAIN of the first call in the active cell, right of everything on the sheet, in the same row so that [@Column] holds.
Public Sub ExplainCell()
    Dim explanation As String
    Dim target As Range
    explanation = AskPython("explain_call", Array(ActiveCell.formula, Language(), TableName(ActiveCell)))
    If explanation = "" Then
        Tell Say("The active cell calls no PR_ function.", "La celda activa no llama ninguna función PR_.")
        Exit Sub
    End If
    With ActiveCell.Worksheet
        Set target = .Cells(ActiveCell.Row, .UsedRange.Column + .UsedRange.Columns.Count + 1)
    End With
    target.Value = Say("Explanation of ", "Explicación de ") & ActiveCell.Address(False, False)
    Enter target.Offset(0, 1), explanation
End Sub

Private Function TableName(ByVal cell As Range) As String
    On Error GoTo none
    TableName = cell.ListObject.Name
none:
End Function

'------------------------------------------------------------------------------------------------------ freeze, stamp

'Every cell that calls a PR_ function keeps its value and loses its formula; the Audit sheet keeps both, and who and when.
Public Sub FreezeAndStamp()
    Dim version As Variant
    Dim audit As Worksheet
    Dim sheet As Worksheet
    Dim count As Long
    Dim skipped As String
    version = CallPython("PR_VERSION", Array(False))
    If IsError(version) Then Err.Raise vbObjectError + 514, "Recargos", Problem()
    For Each sheet In ActiveWorkbook.Worksheets
        If sheet.ProtectContents Then
            If CallingCells(sheet).count > 0 Then skipped = skipped & " " & sheet.Name
        Else
            count = count + CallingCells(sheet).count
        End If
    Next sheet
    If skipped <> "" Then Tell Say("Protected, so left as they are:", "Protegidas, así que quedan como están:") & skipped
    If count = 0 Then
        Tell Say("No cell calls a PR_ function.", "Ninguna celda llama una función PR_.")
        Exit Sub
    End If
    If Not Confirmed(count & Say(" formulas become values. This cannot be undone. Go on?", " fórmulas pasan a ser valores. No se puede deshacer. ¿Continuar?")) Then Exit Sub
    Set audit = AuditSheet()
    Stamp audit, version, count
    For Each sheet In ActiveWorkbook.Worksheets
        If sheet.Name <> audit.Name And Not sheet.ProtectContents Then FreezeSheet sheet, audit
    Next sheet
End Sub

Private Sub FreezeSheet(ByVal sheet As Worksheet, ByVal audit As Worksheet)
    Dim item As Variant
    Dim cell As Range
    Dim area As Range
    Dim values As Variant
    Dim row_ As Long
    For Each item In CallingCells(sheet)
        Set cell = sheet.Range(item)
        row_ = NextRow(audit)
        Set area = Spill(cell)
        audit.Cells(row_, 1).Value = sheet.Name
        audit.Cells(row_, 2).Value = area.Address(False, False)
        audit.Cells(row_, 3).NumberFormat = "@"
        audit.Cells(row_, 3).Value = cell.formula
        audit.Cells(row_, 4).Value = cell.Value
        values = area.Value
        If area.count > 1 Then area.ClearContents
        area.Value = values
    Next item
End Sub

'The cells that the formula of this cell fills: itself, what it spills into, or its old-style array.
Private Function Spill(ByVal cell As Range) As Range
    If HasSpill(cell) Then
        Set Spill = cell.SpillingToRange
    ElseIf cell.HasArray Then
        Set Spill = cell.CurrentArray
    Else
        Set Spill = cell
    End If
End Function

'Excel before dynamic arrays does not know the question.
Private Function HasSpill(ByVal cell As Range) As Boolean
    On Error GoTo older
    HasSpill = cell.HasSpill
older:
End Function

'Addresses of the cells whose formula calls one of our functions.
Public Function CallingCells(ByVal sheet As Worksheet) As Collection
    Dim found As New Collection
    Dim formulas_ As Range
    Dim cell As Range
    Set CallingCells = found
    On Error GoTo none
    Set formulas_ = sheet.UsedRange.SpecialCells(FORMULAS)
    On Error GoTo 0
    For Each cell In formulas_
        If CallsUs(cell.formula) Then
            If Spill(cell).Cells(1, 1).Address = cell.Address Then found.Add cell.Address(False, False)
        End If
    Next cell
none:
End Function

'Does the formula call a PR_ function? Text in quotes and names such as MY_PR_X do not count.
Public Function CallsUs(ByVal formula As String) As Boolean
    Dim at As Long
    Dim mark As String
    Dim inText As Boolean
    Dim word As String
    If Left$(formula, 1) <> "=" Then Exit Function
    For at = 2 To Len(formula)
        mark = UCase$(Mid$(formula, at, 1))
        If mark = """" Then
            inText = Not inText
            word = ""
        ElseIf Not inText Then
            If mark Like "[A-Z0-9_.]" Then
                word = word & mark
            Else
                If mark = "(" And (Left$(word, 3) = "PR_" Or Left$(word, 8) = "_XLL.PR_") Then
                    CallsUs = True
                    Exit Function
                End If
                word = ""
            End If
        End If
    Next at
End Function

Private Function AuditSheet() As Worksheet
    On Error GoTo missing
    Set AuditSheet = ActiveWorkbook.Worksheets("Audit")
    Exit Function
missing:
    Set AuditSheet = ActiveWorkbook.Worksheets.Add(After:=ActiveWorkbook.Worksheets(ActiveWorkbook.Worksheets.count))
    AuditSheet.Name = "Audit"
End Function

Private Sub Stamp(ByVal audit As Worksheet, ByVal version As Variant, ByVal count As Long)
    Dim row_ As Long
    row_ = NextRow(audit)
    If row_ > 1 Then row_ = row_ + 1
    audit.Cells(row_, 1).Value = Say("Frozen by Recargos", "Congelado por Recargos")
    audit.Cells(row_, 2).Value = "'" & version
    audit.Cells(row_, 3).Value = Say("Law reviewed", "Ley revisada")
    audit.Cells(row_, 4).Value = CallPython("PR_LAW_REVIEWED", Array(False))
    audit.Cells(row_, 4).NumberFormat = "yyyy-mm-dd"
    audit.Cells(row_ + 1, 1).Value = UserName_()
    audit.Cells(row_ + 1, 2).Value = Now
    audit.Cells(row_ + 1, 2).NumberFormat = "yyyy-mm-dd hh:mm"
    audit.Cells(row_ + 1, 3).Value = Say("Formulas", "Fórmulas")
    audit.Cells(row_ + 1, 4).Value = count
    audit.Cells(row_ + 2, 1).Value = Say("Sheet", "Hoja")
    audit.Cells(row_ + 2, 2).Value = Say("Cells", "Celdas")
    audit.Cells(row_ + 2, 3).Value = Say("Formula", "Fórmula")
    audit.Cells(row_ + 2, 4).Value = Say("Value", "Valor")
End Sub

Private Function NextRow(ByVal sheet As Worksheet) As Long
    NextRow = 1
    With sheet.UsedRange
        If .count > 1 Or Not IsEmpty(.Cells(1, 1).Value) Then NextRow = .Row + .Rows.count
    End With
End Function

'------------------------------------------------------------------------------------------------------- self-test

'Known values against the functions, in a new workbook: function, formula, result, expected, right or wrong.
'Returns how many are wrong.
Public Function SelfTest() As Long
    Dim cases As Variant
    Dim sheet As Worksheet
    Dim i As Long
    Dim wrong As Long
    cases = AskPython("self_test", Array(Language()))
    Set sheet = Workbooks.Add.Worksheets(1)
    Headings sheet, Array(Say("Function", "Función"), Say("Formula", "Fórmula"), Say("Result", "Resultado"), Say("Expected", "Esperado"), "")
    For i = LBound(cases, 1) To UBound(cases, 1)
        With sheet
            .Cells(i + 2, 1).Value = cases(i, 0)
            .Cells(i + 2, 2).NumberFormat = "@"
            .Cells(i + 2, 2).Value = cases(i, 1)
            Enter .Cells(i + 2, 3), cases(i, 1)
            .Cells(i + 2, 4).Value = TrueError(cases(i, 2))
        End With
    Next i
    Application.Calculate
    For i = LBound(cases, 1) To UBound(cases, 1)
        With sheet
            If Same(.Cells(i + 2, 3).Value2, .Cells(i + 2, 4).Value2) Then
                .Cells(i + 2, 5).Value = Say("right", "bien")
            Else
                .Cells(i + 2, 5).Value = Say("WRONG", "MAL")
                wrong = wrong + 1
            End If
        End With
    Next i
    sheet.Range("G1").Value = Say("Wrong", "Mal")
    sheet.Range("H1").Value = wrong
    SelfTest = wrong
End Function

Private Function Same(ByVal found As Variant, ByVal expected As Variant) As Boolean
    If IsError(found) Or IsError(expected) Then
        If IsError(found) And IsError(expected) Then Same = (CStr(found) = CStr(expected))
    ElseIf VarType(found) = vbString Or VarType(expected) = vbString Or VarType(found) = vbBoolean Then
        Same = (VarType(found) = VarType(expected))
        If Same Then Same = (found = expected)
    Else
        Same = Abs(found - expected) < 0.000001
    End If
End Function

Private Sub Headings(ByVal sheet As Worksheet, ByVal texts As Variant)
    Dim i As Long
    For i = LBound(texts) To UBound(texts)
        sheet.Cells(1, i + 1).Value = texts(i)
        sheet.Cells(1, i + 1).Font.Bold = True
    Next i
End Sub

'---------------------------------------------------------------------------------------- check, templates, diagnosis

'"recargos check" of the file as it was last saved, as a table in a new workbook.
Public Sub CheckWorkbook()
    Dim rows_ As Variant
    If ActiveWorkbook.Path = "" Then
        Tell Say("Save the workbook first: the check reads the file.", "Guarde primero el libro: la revisión lee el archivo.")
        Exit Sub
    End If
    rows_ = AskPython("check_workbook", Array(ActiveWorkbook.FullName, Language()))
    ShowTable rows_
End Sub

Public Sub ShowTable(ByVal rows_ As Variant)
    Dim sheet As Worksheet
    Dim i As Long
    Dim j As Long
    Set sheet = Workbooks.Add.Worksheets(1)
    If Not IsTable(rows_) Then
        If Not IsArray(rows_) Then rows_ = Array(rows_)
        Headings sheet, rows_
        Exit Sub
    End If
    For i = LBound(rows_, 1) To UBound(rows_, 1)
        For j = LBound(rows_, 2) To UBound(rows_, 2)
            If VarType(rows_(i, j)) = vbString Then sheet.Cells(i + 1, j + 1).NumberFormat = "@"
            sheet.Cells(i + 1, j + 1).Value = rows_(i, j)
            If i = LBound(rows_, 1) Then sheet.Cells(1, j + 1).Font.Bold = True
        Next j
    Next i
End Sub

'A workbook from another machine remembers the add-in there. Points its formulas to this one; returns how many links.
Public Function RepairLinks() As Long
    Dim links As Variant
    Dim link As Variant
    links = ActiveWorkbook.LinkSources(1)   'xlExcelLinks
    If Not IsArray(links) Then Exit Function
    For Each link In links
        If LCase$(Right$(link, Len(ThisWorkbook.Name) + 1)) = "\" & LCase$(ThisWorkbook.Name) And LCase$(link) <> LCase$(ThisWorkbook.FullName) Then
            ActiveWorkbook.ChangeLink link, ThisWorkbook.FullName, 1
            RepairLinks = RepairLinks + 1
        End If
    Next link
End Function

Public Sub MakeTemplate(ByVal templateName As String)
    Dim path As String
    path = AskWhere(templateName & ".xlsx")
    If path = "" Then Exit Sub
    AskPython "make_template", Array(templateName, path, Language())
    OpenWorkbook path
End Sub

'Everything that one needs to know, also when Python does not answer.
Public Function AboutText() As String
    Dim answer As String
    On Error GoTo noPython
    answer = AskPython("about", Array(Language(), XLWINGS_VERSION, ThisWorkbook.FullName))
    If Problem() <> "" Then answer = answer & vbLf & Say("Last problem: ", "Último problema: ") & Problem()
    AboutText = answer
    Exit Function
noPython:
    AboutText = "Recargos, xlwings " & XLWINGS_VERSION & vbLf & Say("Python does not answer: ", "Python no contesta: ") & Err.Description _
        & vbLf & Say("In a command window, run: recargos addin doctor", "En una ventana de comandos, ejecute: recargos addin doctor")
End Function

Public Sub ShowDiagnosis()
    ShowTable AskPython("diagnose", Array(Language()))
End Sub

'------------------------------------------------------------------------------------------------------------- talking

Public Sub Tell(ByVal text As String)
    MsgBox Left$(text, 1000), vbInformation, "Recargos"
End Sub

Private Function Confirmed(ByVal question As String) As Boolean
    Confirmed = (MsgBox(question, vbYesNo + vbQuestion, "Recargos") = vbYes)
End Function
