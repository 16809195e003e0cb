#!/bin/sh
# Copyright 2020 A
# Licensed under the MIT License.
#
# Adds numbers.
add() { echo $(($1 + $2)); }
for number in 1 2 3; do add $number $number; done
