module github.com/clipspan/clipspan

go 1.25.0
