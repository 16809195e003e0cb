// evaluate: how far do decisions about pairs agree with labels? Precision, recall, F1, adjusted Rand index, with
// intervals, what differs by more than chance, and advice.
#pragma once

#include "neardup/evaluate/advice.h"
#include "neardup/evaluate/bootstrap.h"
#include "neardup/evaluate/cluster_units.h"
#include "neardup/evaluate/evaluation.h"
#include "neardup/evaluate/findings.h"
#include "neardup/evaluate/interval.h"
#include "neardup/evaluate/label_line.h"
#include "neardup/evaluate/outcomes.h"
#include "neardup/evaluate/rand_index.h"
#include "neardup/evaluate/sample.h"
#include "neardup/evaluate/spanning_forest.h"
#include "neardup/evaluate/truth.h"
