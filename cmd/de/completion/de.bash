# Completion of de for bash. In ~/.bashrc: source <(de completion bash)
_de() {
    local IFS=$'\n'
    COMPREPLY=($(de __complete "=${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null))
}
complete -o default -F _de de
