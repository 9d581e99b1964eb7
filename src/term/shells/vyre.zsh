# Makes zsh say which line it is about to run: see `rules/term/marks.rs`. `__vyre_nonce` stands above.
#
# zsh reads this as its .zshenv, since $ZDOTDIR is a folder of ours. The person's own is put back here, and zsh then reads
# their files itself, theirs for a login shell included.

builtin typeset +x __vyre_nonce
# Nothing but this shell is to read the nonce.
builtin command rm -f -- "$ZDOTDIR/.zshenv" 2>/dev/null
builtin command rmdir -- "$ZDOTDIR" 2>/dev/null
if (( ${+VYRE_ZDOTDIR} )); then
    builtin export ZDOTDIR="$VYRE_ZDOTDIR"
else
    builtin unset ZDOTDIR
fi
builtin unset VYRE_ZDOTDIR

# Defined before anything of the person's is read: later an alias of theirs could get into them.
__vyre_mark() {
    builtin printf '\e]633;%s;%s\e\\' "$1" "$__vyre_nonce" >/dev/tty
}

__vyre_preexec() {
    builtin emulate -L zsh
    builtin setopt local_options no_multibyte extended_glob 2>/dev/null
    builtin local line=${1[1,65537]} c
    # Empty when there is no history to take it from.
    if [[ -n $line ]]; then
        line=${line//\\/\\\\}
        line=${line//;/\\x3b}
        line=${line//$'\n'/\\x0a}
        if [[ $line == *[$'\x01'-$'\x1f'$'\x7f']* ]]; then
            for c in 0{1..9} 0{a,b,c,d,e,f} 1{0..9} 1{a,b,c,d,e,f} 7f; do
                line=${line//${(g::):-\\x$c}/\\x$c}
            done
        fi
        # An emulator may take U+0080 to U+009F for the end of the mark.
        if [[ $line == *$'\xc2'[$'\x80'-$'\x9f']* ]]; then
            for c in {8,9}{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f}; do
                line=${line//${(g::):-\\xc2\\x$c}/\\xc2\\x$c}
            done
        fi
        __vyre_mark "E;$line"
    fi
    __vyre_mark C
    __vyre_ran=1
} 2>/dev/null

__vyre_precmd() {
    builtin local code=$?
    builtin emulate -L zsh
    if (( ${__vyre_ran:-0} )); then
        __vyre_mark "D;$code"
    fi
    __vyre_ran=0
    __vyre_hooks
    __vyre_mark A
} 2>/dev/null

__vyre_hooks() {
    builtin emulate -L zsh
    builtin typeset -ga precmd_functions preexec_functions
    if (( ! ${precmd_functions[(Ie)__vyre_precmd]} )); then precmd_functions+=(__vyre_precmd); fi
    if (( ! ${preexec_functions[(Ie)__vyre_preexec]} )); then preexec_functions+=(__vyre_preexec); fi
}
builtin typeset -g __vyre_ran=0

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
    builtin source "${ZDOTDIR:-$HOME}/.zshenv"
fi

__vyre_hooks
# Their files may set the lists anew. This runs once, at the first prompt.
if builtin zmodload zsh/sched 2>/dev/null; then
    __vyre_first() {
        if (( ! ${precmd_functions[(Ie)__vyre_precmd]} )); then
            __vyre_precmd
        fi
        __vyre_hooks
        builtin unfunction __vyre_first
    }
    builtin sched +0 __vyre_first
fi
