# Completion of de for PowerShell. In $PROFILE: de completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName de -ScriptBlock {
    param($word, $command, $cursor)
    $before = @($command.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
    de __complete "=$word" @before 2>$null | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
