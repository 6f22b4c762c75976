"""How the shipped Go brain was taught by a far stronger net: KataGo's g170-b15c192, under its own licence.

    python -m tools.go_lesson g170e-b15c192-s1672170752-d466197061.bin.gz

does it all as `recipe.toml` says, with the teacher's file where you have it (docs/katago.md says what KataGo
is; nothing of it is in tengen), and leaves the brain in build/lesson. Stopped or killed, it goes on with what
was not yet judged, or where training was cut off, when it is called again. The steps are commands of their
own:

    python -m tools.go_lesson.kata_net NET.bin.gz build/lesson/teacher.onnx
    python -m tools.go_lesson.judge build/lesson/teacher.onnx build/lesson/samples --files 200
    python -m tools.go_lesson.learn build/lesson/samples build/lesson/go.onnx

The first writes the teacher as an int8 ONNX file, the second lets it play and judge games on all boards, the
third trains a net on what it said. The last two may run side by side: training takes up what comes. Boards
on which groups fight for life, which games seldom show, are drawn by `problems`.
`compare` asks KataGo itself whether the teacher's file says the same.
"""
