Attribute VB_Name = "ribbon"
'Callbacks of ribbon.xml. Hand-written. Each hands over to actions.bas and tells what went wrong. [not tried in Excel]
Option Explicit

Private ui As IRibbonUI

'Runs once, after Excel has opened the add-in.
Public Sub Recargos_Start()
    On Error Resume Next   'the wizard's texts are a convenience: without them every function still works
    RegisterHelp
    UseIntelliSense
    ThisWorkbook.Saved = True
End Sub

Public Sub Recargos_Loaded(ribbon As IRibbonUI)
    Set ui = ribbon
End Sub

'------------------------------------------------------------------------------------------------------------- labels

Public Sub Recargos_Label(control As IRibbonControl, ByRef label)
    label = RibbonText(control.id, 0)
End Sub

Public Sub Recargos_Tip(control As IRibbonControl, ByRef tip)
    tip = RibbonText(control.id, 1)
End Sub

'-------------------------------------------------------------------------------------------------------------- menus

Public Sub Recargos_FunctionsMenu(control As IRibbonControl, ByRef content)
    content = FunctionsMenu()
End Sub

Public Sub Recargos_TemplatesMenu(control As IRibbonControl, ByRef content)
    On Error GoTo failed
    content = TemplatesMenu(AskPython("templates", Array(Language())))
    Exit Sub
failed:
    content = EmptyMenu(Err.Description)
End Sub

'------------------------------------------------------------------------------------------------------------- buttons

Public Sub Recargos_Insert(control As IRibbonControl)
    On Error GoTo failed
    InsertFormula control.Tag
    ShowFunctionWizard
    Exit Sub
failed:
    Tell Err.Description
End Sub

Public Sub Recargos_Template(control As IRibbonControl)
    On Error GoTo failed
    MakeTemplate control.Tag
    Exit Sub
failed:
    Tell Err.Description
End Sub

Public Sub Recargos_Action(control As IRibbonControl)
    Dim wrong As Long
    On Error GoTo failed
    Select Case control.id
        Case "explain": ExplainCell
        Case "freeze": FreezeAndStamp
        Case "check": CheckWorkbook
        Case "selftest"
            wrong = SelfTest()
            Tell IIf(wrong = 0, Say("Every value is right.", "Todos los valores están bien."), wrong & Say(" values are wrong.", " valores están mal."))
        Case "about": Tell AboutText()
        Case "diagnose": ShowDiagnosis
        Case "links": Tell RepairLinks() & Say(" links repaired.", " enlaces reparados.")
        Case "restart": RestartPython
        Case "spanish": SwitchTo "es"
        Case "english": SwitchTo "en"
    End Select
    Exit Sub
failed:
    Tell Err.Description
End Sub

Public Sub SwitchTo(ByVal code As String)
    SaveLanguage code
    Recargos_Start
    If Not ui Is Nothing Then ui.Invalidate
End Sub

'Excel-DNA IntelliSense, where a firm has it, reads the sheet _IntelliSense_ of an add-in.
Public Sub UseIntelliSense()
    Dim source As Worksheet
    Dim target As Worksheet
    Set source = ThisWorkbook.Worksheets("_IntelliSense_" & Language() & "_")
    Set target = ThisWorkbook.Worksheets("_IntelliSense_")
    target.Range(source.UsedRange.Address).Value = source.UsedRange.Value
End Sub
