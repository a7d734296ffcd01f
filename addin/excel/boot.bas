Attribute VB_Name = "boot"
'From a cell to Python and back. Every function of udfs.bas goes through CallPython.
'Hand-written. Only plain VBA: the tests run this module without Excel.
Option Explicit
Option Private Module

Public Const UDF_MODULE As String = "recargos.excel"
Private Const RIBBON_MODULE As String = "recargos.addin.ribbon"
Private Const PATIENCE As Double = 20 / 86400   'of a day: twenty seconds

Private python As Object            'the Python process, kept between calls
Private generation_ As Long         'of that process: counts the restarts
Private notBefore As Double         'after a failed start: no new attempt before this moment
Private startProblem As String      'why Python did not start
Private lastProblem As String       'why the last call failed; About shows it

'---------------------------------------------------------------------------------------------------- the functions

'What a function shows in its cell. Never raises and never returns the text of an error: text in a money column is
'skipped by SUM, so a failure must be an error value.
Public Function CallPython(ByVal functionName As String, ByVal arguments As Variant) As Variant
    On Error GoTo failed
    CallPython = WithTrueErrors(Ask(UDF_MODULE, functionName, PlainArguments(arguments)))
    Exit Function
failed:
    lastProblem = functionName & ": " & Err.Description
    CallPython = CVErr(2015)
End Function

'One of the ribbon's questions to Python. Raises when Python cannot answer.
Public Function AskPython(ByVal question As String, ByVal arguments As Variant) As Variant
    AskPython = Ask(RIBBON_MODULE, question, arguments)
End Function

'A call, made once more when the Python process has gone in the meantime.
Private Function Ask(ByVal moduleName As String, ByVal functionName As String, ByVal arguments As Variant) As Variant
    Dim retried As Boolean
    Dim number As Long
    Dim description As String
    On Error GoTo failed
again:
    Ask = Server.CallUDF((moduleName), (functionName), (arguments), ThisWorkbook, Nothing)
    Exit Function
failed:
    number = Err.Number             'read at once: a call of another procedure may clear them
    description = Err.Description
    If Not retried And ServerIsGone(number) Then
        retried = True
        EndPython
        Resume again
    End If
    Err.Raise number, "Recargos", description
End Function

'The Python process. A start that failed is not tried again for some seconds: a sheet of ten thousand formulas would
'otherwise wait ten thousand times.
Private Function Server() As Object
    If python Is Nothing Then
        If Now < notBefore Then Err.Raise vbObjectError + 513, "Recargos", startProblem
        notBefore = Now + PATIENCE
        On Error GoTo failed
        Set python = XLPy()
        notBefore = 0
    End If
    Set Server = python
    Exit Function
failed:
    startProblem = "Python did not start. Run: recargos addin doctor. (" & Err.Description & ")"
    lastProblem = startProblem
    Err.Raise vbObjectError + 513, "Recargos", startProblem
End Function

Public Function ServerIsGone(ByVal number As Long) As Boolean
    Select Case number
        Case 462                                    'the remote server machine does not exist
        Case -2147023174, -2147023170               'RPC server unavailable, call failed
        Case -2147417848, -2147418105               'disconnected from its clients, died during the call
        Case -2147220995, -2147417842               'object not connected, wrong thread after a restart
        Case Else: Exit Function
    End Select
    ServerIsGone = True
End Function

'Part of the command line that starts Python.
Public Function Generation() As Long
    Generation = generation_
End Function

'xlwings' DLL keeps a dead process for its command line. The next start has another command line.
Private Sub EndPython()
    Set python = Nothing
    On Error Resume Next   'what is gone already need not be ended
    KillPy
    generation_ = generation_ + 1
End Sub

'Forget the process and any failed start: the next call begins anew.
Public Sub RestartPython()
    EndPython
    notBefore = 0
    startProblem = ""
    lastProblem = ""
End Sub

Public Function Problem() As String
    Problem = lastProblem
End Function

'--------------------------------------------------------------------------------------------------- values of cells

'Ranges become values here, inside Excel: Python would ask back some fifteen times for each.
Private Function PlainArguments(ByVal arguments As Variant) As Variant
    Dim plain() As Variant
    Dim i As Long
    ReDim plain(LBound(arguments) To UBound(arguments))
    For i = LBound(arguments) To UBound(arguments)
        If IsObject(arguments(i)) Then
            plain(i) = CellValues(arguments(i))
        Else
            plain(i) = arguments(i)
        End If
    Next i
    PlainArguments = plain
End Function

Public Function CellValues(ByVal source As Range) As Variant
    Dim values As Variant
    Dim numbers As Variant
    Dim cells_ As Range
    Dim i As Long
    Dim j As Long
    'The value of a selection of several areas is that of its first: silently too little.
    If source.Areas.Count > 1 Then Err.Raise 5, "Recargos", "A range of several areas"
    Set cells_ = UsedPart(source)
    values = ValuesOrNumbers(cells_)
    'A currency cell comes cut to four decimals. Its number is whole in Value2.
    If IsArray(values) Then
        For i = LBound(values, 1) To UBound(values, 1)
            For j = LBound(values, 2) To UBound(values, 2)
                If VarType(values(i, j)) = vbCurrency Then
                    If IsEmpty(numbers) Then numbers = cells_.Value2
                    values(i, j) = numbers(i, j)
                End If
            Next j
        Next i
    ElseIf VarType(values) = vbCurrency Then
        values = cells_.Value2
    End If
    CellValues = values
End Function

'A number in a date format that is no date makes Value fail; then the plain numbers are read, and Python judges them.
Private Function ValuesOrNumbers(ByVal source As Range) As Variant
    On Error GoTo noDate
    ValuesOrNumbers = source.Value
    Exit Function
noDate:
    ValuesOrNumbers = source.Value2
End Function

'Of whole columns or rows, the part down to the sheet's last used cell.
Private Function UsedPart(ByVal source As Range) As Range
    Dim lastRow As Long
    Dim lastColumn As Long
    Set UsedPart = source
    If source.Rows.Count < source.Worksheet.Rows.Count And source.Columns.Count < source.Worksheet.Columns.Count Then Exit Function
    With source.Worksheet.UsedRange
        lastRow = .Row + .Rows.Count - 1
        lastColumn = .Column + .Columns.Count - 1
    End With
    If source.Rows.Count < lastRow Then lastRow = source.Rows.Count
    If source.Columns.Count < lastColumn Then lastColumn = source.Columns.Count
    Set UsedPart = source.Resize(lastRow, lastColumn)
End Function

'Names of errors become true errors, cell by cell. Any other text stays text.
Public Function WithTrueErrors(ByVal answer As Variant) As Variant
    Dim i As Long
    Dim j As Long
    If Not IsArray(answer) Then
        WithTrueErrors = TrueError(answer)
        Exit Function
    End If
    If IsTable(answer) Then
        For i = LBound(answer, 1) To UBound(answer, 1)
            For j = LBound(answer, 2) To UBound(answer, 2)
                If VarType(answer(i, j)) = vbString Then answer(i, j) = TrueError(answer(i, j))
            Next j
        Next i
    Else
        For i = LBound(answer) To UBound(answer)
            answer(i) = TrueError(answer(i))
        Next i
    End If
    WithTrueErrors = answer
End Function

Public Function IsTable(ByVal answer As Variant) As Boolean
    Dim columns_ As Long
    On Error GoTo oneDimension
    columns_ = UBound(answer, 2)
    IsTable = True
oneDimension:
End Function

Public Function TrueError(ByVal cell As Variant) As Variant
    TrueError = cell
    If VarType(cell) <> vbString Then Exit Function
    Select Case cell
        Case "#NULL!": TrueError = CVErr(2000)
        Case "#DIV/0!": TrueError = CVErr(2007)
        Case "#VALUE!": TrueError = CVErr(2015)
        Case "#REF!": TrueError = CVErr(2023)
        Case "#NAME?": TrueError = CVErr(2029)
        Case "#NUM!": TrueError = CVErr(2036)
        Case "#N/A": TrueError = CVErr(2042)
    End Select
End Function

'Which day is 0 in the workbook that asks.
Public Function IsDate1904() As Boolean
    On Error GoTo noCell
    IsDate1904 = Application.Caller.Worksheet.Parent.Date1904
    Exit Function
noCell:
    IsDate1904 = False
End Function

'----------------------------------------------------------------------------------------------------- configuration

'xlwings asks this for its settings. Only the user's own file answers, written by "recargos addin install": a setting
'in the active workbook or its folder could name any program, and opening a client's file must not start one.
Public Function GetConfig(configKey As String, Optional default As String = "", Optional source As String = "") As Variant
    Dim found As String
    found = ConfigValue(configKey)
    If found = "" Then found = default
    Select Case LCase$(found)
        'False as text is "Falso" in a Spanish Windows; xlwings compares it with True.
        Case "false", LCase$(CStr(False)): GetConfig = False
        Case "true", LCase$(CStr(True)): GetConfig = True
        Case Else: GetConfig = found
    End Select
End Function

'---------------------------------------------------------------------------------------------------------- language

Public Function InSpanish() As Boolean
    Select Case SavedLanguage()
        Case "es": InSpanish = True
        Case "en": InSpanish = False
        Case Else: InSpanish = (OfficeLanguage() And &H3FF) = &HA   'any Spanish: the lower ten bits of its LCID
    End Select
End Function

Public Function Language() As String
    Language = IIf(InSpanish(), "es", "en")
End Function

Public Function Say(ByVal english As String, ByVal spanish As String) As String
    Say = IIf(InSpanish(), spanish, english)
End Function

'The function wizard's page of one function.
Public Sub Describe(ByVal functionName As String, ByVal help As String, ByVal argumentHelp As Variant)
    Dim macroName As String
    macroName = "'" & ThisWorkbook.Name & "'!" & functionName
    If UBound(argumentHelp) < LBound(argumentHelp) Then
        Application.MacroOptions Macro:=macroName, Description:=help, Category:=Say("Puerto Rico Tax", "Contribuciones PR")
    Else
        Application.MacroOptions Macro:=macroName, Description:=help, Category:=Say("Puerto Rico Tax", "Contribuciones PR"), _
            ArgumentDescriptions:=argumentHelp
    End If
End Sub
