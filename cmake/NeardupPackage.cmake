# `make package`: build/release/neardup_VERSION_ARCHITECTURE.deb, of what `cmake --install` installs, for apt on Debian 12.
# What the program needs to run is found by dpkg-shlibdeps; what a C++ project needs to link the libraries is suggested.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME neardup)
set(CPACK_PACKAGE_CONTACT "The neardup maintainers <maintainers@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds and removes near-duplicate documents")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Deduplicates collections of texts (JSONL, CSV, text files, folders), exactly and
fast, and shows what was removed and why. Also finds all pairs and all neighbours
of 64-bit fingerprints within k bits. Holds the program, its man page and
completions, and the C++ libraries with their headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(STRINGS ${PROJECT_SOURCE_DIR}/tools/packages.txt neardup_packages REGEX "(-dev|^pkg-config)$")
list(REMOVE_ITEM neardup_packages libcli11-dev libmicrohttpd-dev libopencc-dev prometheus-cpp-dev)  # the program alone takes them
list(JOIN neardup_packages ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
include(CPack)
