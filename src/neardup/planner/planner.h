// planner: which plan to take for so many fingerprints, within so much memory, on that medium.
#pragma once

#include "neardup/planner/calibrate.h"
#include "neardup/planner/compare_plans.h"
#include "neardup/planner/cost_model.h"
#include "neardup/planner/machine.h"
#include "neardup/planner/skew.h"
#include "neardup/planner/spark_shuffle.h"
