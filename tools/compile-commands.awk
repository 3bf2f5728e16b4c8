# Source files, one a line, to compile_commands.json; the environment has the command (COMPILE_EACH) and the folder (PWD).
function string(text)
{
    gsub(/["\\]/, "\\\\&", text)
    return "\"" text "\""
}
BEGIN { print "[" }
{
    if (NR > 1)
        print ","
    printf "{\"directory\": %s, \"file\": %s, \"command\": %s}", string(ENVIRON["PWD"]), string($0), string(ENVIRON["COMPILE_EACH"] " -c " $0)
}
END { print "\n]" }
