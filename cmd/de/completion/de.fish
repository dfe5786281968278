# Completion of de for fish: de completion fish > ~/.config/fish/completions/de.fish
function __de_complete
    set -l words (commandline -opc)
    set -l found (de __complete "="(commandline -ct) $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c de -f -a '(__de_complete)'
