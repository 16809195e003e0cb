// report: figures and examples of a run -> report.json and report.html.
#pragma once

#include "neardup/report/figures.h"
#include "neardup/report/render.h"
