#compdef de
# Completion of de for zsh. In ~/.zshrc, after compinit: source <(de completion zsh)
_de() {
    local -a found
    found=("${(@f)$(de __complete "=${words[CURRENT]}" "${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then
        compadd -- "${found[@]}"
    else
        _files
    fi
}
compdef _de de
