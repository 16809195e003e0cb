// cluster: candidate pairs or fingerprints -> clusters, and which document of each stays.
//
// Documents are named by rank here: 0 is the one that the keep rule prefers most (keep_rule.h). The order is total, so
// results do not depend on threads. Candidates are collected and sorted by a CandidateSet (candidates.h).
#pragma once

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/band_stars.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/candidates.h"
#include "neardup/cluster/cluster_join.h"
#include "neardup/cluster/components.h"
#include "neardup/cluster/keep_rule.h"
#include "neardup/cluster/star.h"
