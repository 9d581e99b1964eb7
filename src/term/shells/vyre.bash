# Makes bash say which line it is about to run: see `rules/term/marks.rs`. `__vyre_nonce` and `__vyre_file` stand above.
#
# bash is started as a login shell in POSIX mode, where $ENV (this file) is all that it reads. So it is a login shell in
# every respect, and reads here what one reads.

builtin set +o posix
builtin shopt -u inherit_errexit
if [[ ${HISTFILE-} == "${HOME-}/.sh_history" ]]; then HISTFILE=${HOME-}/.bash_history; fi
if [[ -n ${VYRE_ENV+x} ]]; then ENV=$VYRE_ENV; else builtin unset ENV; fi
builtin unset VYRE_ENV
builtin declare +x __vyre_nonce __vyre_file
# Nothing but this shell is to read the nonce.
builtin command rm -f -- "$__vyre_file" 2>/dev/null
builtin command rmdir -- "${__vyre_file%/*}" 2>/dev/null
builtin unset __vyre_file

# Each is set always, so that `set -u` finds it.
__vyre_control='' __vyre_ignore='' __vyre_last='' __vyre_ran=0
__vyre_armed=0 __vyre_seen=0 __vyre_from=0
builtin declare -A __vyre_nothing

# Defined before anything of the person's is read: later an alias of theirs could get into them.
__vyre_mark() {
    builtin printf '\e]633;%s;%s\e\\' "$1" "$__vyre_nonce" >/dev/tty
} 2>/dev/null

# The newest line of the history as `REPLY`, its number as `__vyre_n`.
__vyre_newest() {
    builtin local LC_ALL=C
    REPLY=$(HISTTIMEFORMAT='' builtin history 1)
    REPLY=${REPLY#"${REPLY%%[0-9]*}"}
    __vyre_n=${REPLY%%[!0-9]*}
    # Behind the number stand a sign and a space.
    REPLY=${REPLY:${#__vyre_n}+2}
    __vyre_n=${__vyre_n:-0}
}

# Runs in a subshell, between the reading of a line and its running, and prints the number of that line. A paste of several
# lines comes here for each without a prompt between.
__vyre_line() {
    builtin set +xvu
    builtin local LC_ALL=C REPLY __vyre_n c
    __vyre_n=$__vyre_seen
    if [[ -o history ]]; then
        __vyre_newest
        if (( __vyre_n > __vyre_seen )); then
            REPLY=${REPLY:0:65537}
            REPLY=${REPLY//\\/\\\\}
            REPLY=${REPLY//;/\\x3b}
            REPLY=${REPLY//$'\n'/\\x0a}
            if [[ $REPLY == *[$'\x01'-$'\x1f'$'\x7f']* ]]; then
                for c in 0{1..9} 0{a..f} 1{0..9} 1{a..f} 7f; do
                    builtin printf -v REPLY_C "\\x$c"
                    REPLY=${REPLY//"$REPLY_C"/\\x$c}
                done
            fi
            # An emulator may take U+0080 to U+009F for the end of the mark.
            if [[ $REPLY == *$'\xc2'[$'\x80'-$'\x9f']* ]]; then
                for c in {8,9}{{0..9},{a..f}}; do
                    builtin printf -v REPLY_C "\\xc2\\x$c"
                    REPLY=${REPLY//"$REPLY_C"/\\xc2\\x$c}
                done
            fi
            __vyre_mark "E;$REPLY"
        fi
    fi
    __vyre_mark C
    builtin printf %s "$__vyre_n"
} 2>/dev/null

# What the person's HISTCONTROL and HISTIGNORE would have kept out of the history goes out of it now. At the prompt both are
# empty, since the history is the only place where bash shows a line as it was typed.
__vyre_forget() {
    builtin local REPLY __vyre_n i
    builtin local -a lines
    __vyre_newest
    if (( __vyre_n == __vyre_from + 1 )) && [[ -z $__vyre_ignore && :$__vyre_control: != *:erasedups:* ]]; then
        if [[ ( :$__vyre_control: == *:ignorespace:* || :$__vyre_control: == *:ignoreboth:* ) && $REPLY == ' '* ||
            ( :$__vyre_control: == *:ignoredups:* || :$__vyre_control: == *:ignoreboth:* ) && $REPLY == "$__vyre_last" ]]; then
            builtin history -d "$__vyre_n"
        fi
        builtin return
    fi
    # Said again, they go by the person's own rules.
    while (( __vyre_n > __vyre_from )); do
        lines+=("$REPLY")
        builtin history -d "$__vyre_n" || builtin break
        __vyre_newest
    done
    for (( i = ${#lines[@]} - 1; i >= 0; i-- )); do
        builtin history -s -- "${lines[i]}"
    done
} 2>/dev/null

# First of what runs before a prompt: theirs may write the history to its file.
__vyre_before() {
    builtin local status=$?
    if (( __vyre_armed )); then
        # No line ran.
        HISTCONTROL=$__vyre_control HISTIGNORE=$__vyre_ignore
        __vyre_armed=0 __vyre_ran=0
    fi
    if [[ -n $__vyre_control$__vyre_ignore ]]; then __vyre_forget; fi
    __vyre_control='' __vyre_ignore=''
    if (( __vyre_ran )); then __vyre_mark "D;$status"; fi
    builtin return "$status"
}

# Last of it.
__vyre_prompt() {
    builtin local status=$? REPLY __vyre_n
    __vyre_hooks
    if builtin shopt -q promptvars; then
        if [[ ${PS0-} != *__vyre_line* ]]; then PS0=${PS0-}$__vyre_ps0; fi
        __vyre_newest
        __vyre_seen=$__vyre_n __vyre_from=$__vyre_n __vyre_last=$REPLY
        __vyre_control=${HISTCONTROL-} __vyre_ignore=${HISTIGNORE-}
        HISTCONTROL='' HISTIGNORE=''
        __vyre_armed=1 __vyre_ran=1
        __vyre_mark A
    fi
    builtin return "$status"
}

# It comes to nothing: the expansions inside of the subscript set variables of this shell, and no such element exists. A
# child that inherits this does nothing by it.
__vyre_ps0='${__vyre_nonce:+${__vyre_nothing[_$((__vyre_armed=0,__vyre_seen=$(__vyre_line)+0))${HISTCONTROL:=$__vyre_control}${HISTIGNORE:=$__vyre_ignore}]-}}'

# Puts ours around the person's own. Before bash 5.1 there is one command, and it is a text.
if (( BASH_VERSINFO[0] > 5 || BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1 )); then
    __vyre_hooks() {
        if [[ ${PROMPT_COMMAND[0]-} != __vyre_before || ${PROMPT_COMMAND[*]: -1} != __vyre_prompt ]]; then
            builtin local c
            builtin local -a theirs
            for c in "${PROMPT_COMMAND[@]}"; do
                if [[ -n $c && $c != __vyre_before && $c != __vyre_prompt ]]; then theirs+=("$c"); fi
            done
            builtin unset PROMPT_COMMAND
            PROMPT_COMMAND=(__vyre_before "${theirs[@]}" __vyre_prompt)
        fi
    }
else
    __vyre_hooks() {
        if [[ ${PROMPT_COMMAND-} != '${__vyre_nonce:+__vyre_before}'*'${__vyre_nonce:+__vyre_prompt}' ]]; then
            PROMPT_COMMAND='${__vyre_nonce:+__vyre_before}'$'\n'${PROMPT_COMMAND-}$'\n''${__vyre_nonce:+__vyre_prompt}'
        fi
    }
fi

if [[ -r /etc/profile ]]; then builtin . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then
    builtin . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then
    builtin . ~/.bash_login
elif [[ -r ~/.profile ]]; then
    builtin . ~/.profile
fi

# PS0 came with 4.4.
if (( BASH_VERSINFO[0] > 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4 )); then
    __vyre_hooks
fi
