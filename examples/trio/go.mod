module example.org/trio

go 1.26.0

require github.com/ludozero/ludozero v0.0.0

replace github.com/ludozero/ludozero => ../..
