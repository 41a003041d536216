# Completes luuid's commands and options in bash. It takes them from what `luuid --help` prints.
_luuid() {
    local command=() word=${COMP_WORDS[COMP_CWORD]}
    if [ "$COMP_CWORD" -gt 1 ]; then
        [[ $word = -* ]] || return 0 # a value
        command=("${COMP_WORDS[1]}")
    fi
    mapfile -t COMPREPLY < <(compgen -W "$("$1" "${command[@]}" --help 2>/dev/null |
        sed -nE 's/^ +(-[a-z], *)?(--[a-z]+)[ ,].*/\2/p; /^subcommands:/I,/^$/s/^ +([a-z]\w*) .*/\1/p')" -- "$word")
}
complete -o default -F _luuid luuid
