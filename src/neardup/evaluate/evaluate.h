// evaluate: how far do decisions about pairs agree with labels? Precision, recall, F1, adjusted Rand index, and advice.
#pragma once

#include "neardup/evaluate/advice.h"
#include "neardup/evaluate/evaluation.h"
#include "neardup/evaluate/label_line.h"
#include "neardup/evaluate/rand_index.h"
#include "neardup/evaluate/spanning_forest.h"
#include "neardup/evaluate/truth.h"
