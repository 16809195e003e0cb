# make install and find_package(neardup) are set up here.
