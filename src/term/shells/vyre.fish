# Makes fish say which line it is about to run: see `rules/term/marks.rs`. `__vyre_nonce` stands above.
#
# fish runs this as its --init-command, behind the person's own files.

# Nothing but this shell is to read the nonce.
begin
    set -l file (builtin status filename)
    command rm -f -- $file
    command rmdir -- (builtin string replace -r '/[^/]*$' '' -- $file)
end 2>/dev/null

function __vyre_mark
    builtin printf '\e]633;%s;%s\e\\' $argv[1] $__vyre_nonce >/dev/tty
end

function __vyre_preexec --on-event fish_preexec
    set -l line (builtin string sub -l 65537 -- $argv[1] | builtin string collect)
    set line (builtin string replace -a '\\' '\\\\' -- $line | builtin string collect)
    set line (builtin string replace -a ';' '\x3b' -- $line | builtin string collect)
    set line (builtin string replace -a \n '\x0a' -- $line | builtin string collect)
    if builtin string match -qr '[\x00-\x1f\x7f-\x9f]' -- $line
        for c in 0{1,2,3,4,5,6,7,8,9,a,b,c,d,e,f} 1{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f} 7f
            set line (builtin string replace -ar "\\x$c" "\\\\\\\\x$c" -- $line | builtin string collect)
        end
        # An emulator may take U+0080 to U+009F for the end of the mark.
        for c in {8,9}{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f}
            set line (builtin string replace -ar "\\x$c" "\\\\\\\\xc2\\\\\\\\x$c" -- $line | builtin string collect)
        end
    end
    __vyre_mark "E;$line"
    __vyre_mark C
end

function __vyre_postexec --on-event fish_postexec
    __vyre_mark "D;$status"
end

function __vyre_prompt --on-event fish_prompt
    __vyre_mark A
end
