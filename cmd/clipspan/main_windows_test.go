package main

import "os"

var interrupt os.Signal
