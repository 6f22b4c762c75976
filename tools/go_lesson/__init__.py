"""How the shipped Go brain was taught by a far stronger net: KataGo's g170-b15c192, under its own licence.

Three steps, each a command, with the teacher's file where you have it (docs/katago.md says what KataGo is;
nothing of it is in tengen):

    python -m tools.go_lesson.kata_net g170e-b15c192-s1672170752-d466197061.bin.gz build/lesson/teacher.onnx
    python -m tools.go_lesson.judge build/lesson/teacher.onnx build/lesson/samples --minutes 60
    python -m tools.go_lesson.learn build/lesson/samples build/lesson/go.onnx --minutes 80

The first writes the teacher as an int8 ONNX file, the second lets it play and judge games on all boards, the
third trains a net on what it said. The last two may run side by side: training takes up what comes.
"""
