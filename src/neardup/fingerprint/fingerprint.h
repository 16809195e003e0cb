// fingerprint: the 64-bit value that stands for a document, its distance, and files of them.
#pragma once

#include "neardup/fingerprint/checksum.h"
#include "neardup/fingerprint/file.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/value.h"
#include "neardup/fingerprint/wide.h"
