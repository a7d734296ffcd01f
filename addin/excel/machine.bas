Attribute VB_Name = "machine"
'The few lines that touch files, the registry or Office itself. [not tried in Excel]: the tests put a double here.
Option Explicit
Option Private Module

'A setting of %USERPROFILE%\.recargos\recargos.conf, lines of "KEY","VALUE"; "" when there is none.
Public Function ConfigValue(ByVal key As String) As String
    Dim file As Integer
    Dim name_ As String
    Dim value_ As String
    Dim path As String
    path = Environ$("USERPROFILE") & "\.recargos\recargos.conf"
    If Dir$(path, vbHidden) = "" Then Exit Function
    file = FreeFile
    Open path For Input As #file
    Do While Not EOF(file)
        Input #file, name_, value_
        If LCase$(name_) = LCase$(key) Then ConfigValue = value_
    Loop
    Close #file
End Function

Public Function SavedLanguage() As String
    SavedLanguage = GetSetting("Recargos", "Ribbon", "Language", "")
End Function

Public Sub SaveLanguage(ByVal code As String)
    SaveSetting "Recargos", "Ribbon", "Language", code
End Sub

Public Function OfficeLanguage() As Long
    OfficeLanguage = Application.LanguageSettings.LanguageID(2)   'msoLanguageIDUI
End Function

'The function wizard on the formula just entered.
Public Sub ShowFunctionWizard()
    Application.Dialogs(450).Show   'xlDialogFunctionWizard
End Sub

'Where to save: "" when the person cancels.
Public Function AskWhere(ByVal proposed As String) As String
    Dim chosen As Variant
    chosen = Application.GetSaveAsFilename(proposed, "Excel (*.xlsx), *.xlsx")
    If VarType(chosen) = vbString Then AskWhere = chosen
End Function

Public Function UserName_() As String
    UserName_ = Application.UserName
    If Environ$("USERNAME") <> "" Then UserName_ = UserName_ & " (" & Environ$("USERNAME") & ")"
End Function

Public Sub OpenWorkbook(ByVal path As String)
    Workbooks.Open path
End Sub
