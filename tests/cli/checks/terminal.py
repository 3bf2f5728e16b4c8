"""Runs a command on a terminal of its own and writes what comes to the terminal, as it comes.

terminal.py COMMAND [SIGNAL WHEN]: COMMAND is for sh; SIGNAL (a number) is sent to it once the regular
expression WHEN matches what has come. Ends as COMMAND did, 128 + N for a death by signal N.

Reading goes on until nobody has the terminal open, so nothing is lost however slow the machine is."""
import os
import pty
import re
import sys

command = sys.argv[1]
signal, when = (int(sys.argv[2]), re.compile(sys.argv[3].encode())) if len(sys.argv) > 2 else (0, None)
child, terminal = pty.fork()
if child == 0:
    os.execv("/bin/sh", ["sh", "-c", command])
seen = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # the other side is closed
        break
    if not piece:
        break
    os.write(1, piece)
    seen += piece
    if when and when.search(seen):
        os.kill(child, signal)
        when = None
_, status = os.waitpid(child, 0)
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
