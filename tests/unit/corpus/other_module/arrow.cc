// A library that is called like one of Arrow.
extern "C" int neardup_test_arrow() { return 2; }
