#!/usr/bin/env python3
"""What RFC 9112 says that a server MUST, row by row; and clients that go in the middle of a request.

usage: http_test.py PROGRAM [TEST...]
"""
import http.client
import json
import re
import socket
import sys
import time
import unittest

from service import LONGEST_WAIT, Service, wait_until

PROGRAM = sys.argv.pop(1)
HOST = b"Host: 127.0.0.1\r\n"
BODY = b'{"text":"a"}'
NEXT = b"GET /v1/stats HTTP/1.1\r\n" + HOST + b"\r\n"  # what a smuggler hides in a body


def post(fields, body=b"", version=b"HTTP/1.1", target=b"/v1/check"):
    return b"POST " + target + b" " + version + b"\r\n" + HOST + fields + b"\r\n" + body


def chunked(body):
    return post(b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", body)


LENGTH = b"Content-Length: %d\r\n" % len(BODY)
# Section of RFC 9112, what it is about, the bytes, the statuses of all answers. Behind 400, 413, 431, 500, 501 and 505 the connection ends.
RULES = (
    ("2.2", "an empty line before the request", b"\r\n" + NEXT, [200]),
    ("2.2", "a bare CR in a value", b"GET /livez HTTP/1.1\r\n" + HOST + b"X: a\rb\r\n\r\n" + NEXT, [400]),
    ("2.2", "a bare CR in the target", b"GET /li\rvez HTTP/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("2.2", "a line that ends in LF alone", b"GET /livez HTTP/1.1\r\nX: a\n" + HOST + b"\r\n" + NEXT, [400]),
    ("2.2", "a first line that ends in LF alone", b"GET /livez HTTP/1.1\n" + HOST + b"\r\n" + NEXT, [400]),
    ("2.2", "a header that ends in LF alone", b"GET /livez HTTP/1.1\r\n" + HOST + b"\n" + NEXT, [400]),
    ("2.2", "a blank before the first field", b"GET /livez HTTP/1.1\r\n " + HOST + b"\r\n" + NEXT, [400]),
    ("2.2", "a zero byte in a value", b"GET /livez HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n" + NEXT, [400]),
    ("2.2", "a zero byte in a name", b"GET /livez HTTP/1.1\r\n" + HOST + b"X\0Y: a\r\n\r\n" + NEXT, [400]),
    ("2.2", "a zero byte in the target", b"GET /livez\0x HTTP/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("2.3", "a major version that is not spoken", b"GET /livez HTTP/2.0\r\n" + HOST + b"\r\n" + NEXT, [505]),
    ("2.3", "a higher minor version", b"GET /livez HTTP/1.2\r\n" + HOST + b"\r\n", [200]),
    ("2.3", "a version in lower case", b"GET /livez http/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("2.3", "a version of two digits", b"GET /livez HTTP/1.11\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("3", "no version", b"GET /livez\r\n\r\n" + NEXT, [400]),
    ("3", "a blank in the target", b"GET /li vez HTTP/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("3", "a tab in the first line", b"GET /livez\tHTTP/1.1 HTTP/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("3", "two blanks in the first line", b"GET  /livez HTTP/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("3", "a blank behind the version", b"GET /livez HTTP/1.1 \r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("3", "a target that is too long", b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", [414]),
    ("3", "8,000 bytes of target", b"GET /livez?" + b"x" * 7900 + b" HTTP/1.1\r\n" + HOST + b"\r\n", [400]),  # read: no such parameter
    ("3.1", "a method that is no token", b"G(T /livez HTTP/1.1\r\n" + HOST + b"\r\n" + NEXT, [400]),
    ("3.1", "a method in lower case is another one", b"get /livez HTTP/1.1\r\n" + HOST + b"\r\n", [405]),
    ("3.2", "no Host", b"GET /livez HTTP/1.1\r\n\r\n" + NEXT, [400]),
    ("3.2", "no Host in HTTP/1.0", b"GET /livez HTTP/1.0\r\n\r\n", [200]),
    ("3.2", "two Host", b"GET /livez HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n" + NEXT, [400]),
    ("3.2", "two equal Host", b"GET /livez HTTP/1.1\r\n" + HOST + HOST + b"\r\n" + NEXT, [400]),
    ("3.2", "two Host in HTTP/1.0", b"GET /livez HTTP/1.0\r\n" + HOST + b"hOST: a\r\n\r\n", [400]),
    ("3.2", "a Host that is a list", b"GET /livez HTTP/1.1\r\nHost: a, b\r\n\r\n" + NEXT, [400]),
    ("3.2", "a Host with a path", b"GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n" + NEXT, [400]),
    ("3.2", "a Host with a user", b"GET /livez HTTP/1.1\r\nHost: a@b\r\n\r\n" + NEXT, [400]),
    ("3.2", "a Host whose port is none", b"GET /livez HTTP/1.1\r\nHost: a:b\r\n\r\n" + NEXT, [400]),
    ("3.2", "a Host of IPv6", b"GET /livez HTTP/1.1\r\nHost: [::1]:7464\r\n\r\n", [200]),
    ("3.2.2", "the form for proxies", b"GET http://127.0.0.1/livez HTTP/1.1\r\n" + HOST + b"\r\n", [200]),
    ("3.2.2", "its host counts", b"GET http://evil.example/v1/stats HTTP/1.1\r\n" + HOST + b"\r\n", [403]),
    ("3.2.2", "and Host does not", b"GET http://localhost/v1/stats HTTP/1.1\r\nHost: evil.example\r\n\r\n", [200]),
    ("3.2.3", "the form of CONNECT", b"CONNECT 127.0.0.1:443 HTTP/1.1\r\n" + HOST + b"\r\n", [404]),
    ("3.2.4", "the form of OPTIONS", b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", [404]),
    ("5.1", "a blank before the colon", post(b"Content-Length : %d\r\n" % len(NEXT), NEXT), [400]),
    ("5.1", "a tab before the colon", post(b"Content-Length\t: %d\r\n" % len(NEXT), NEXT), [400]),
    ("5.1", "a field without a name", b"GET /livez HTTP/1.1\r\n" + HOST + b": a\r\n\r\n" + NEXT, [400]),
    ("5.1", "a field without a colon", b"GET /livez HTTP/1.1\r\n" + HOST + b"X\r\n\r\n" + NEXT, [400]),
    ("5.1", "blanks around a value", post(b"Content-Type: \t application/json\r\nX:\r\nY: \t\r\n" + LENGTH, BODY), [200]),
    ("5.1", "blanks behind a value", post(b"Content-Type: application/json\t \r\nX: a \r\n" + LENGTH, BODY), [200]),
    ("5.1", "blanks behind a host", b"GET /v1/stats HTTP/1.1\r\nHost: 127.0.0.1 \t\r\n\r\n", [200]),
    ("5.1", "blanks behind a length, which could be read as another one", post(b"Content-Length: %d \r\n" % len(BODY), BODY), [400]),
    ("5.1", "blanks behind a coding, which could be read as none", post(b"Transfer-Encoding: chunked \r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("5.1", "a control character in a value", b"GET /livez HTTP/1.1\r\n" + HOST + b"X: a\x01\r\n\r\n" + NEXT, [400]),
    ("5.1", "bytes beyond ASCII in a value", b"GET /livez HTTP/1.1\r\n" + HOST + b"X: \xc3\xa4\r\n\r\n", [200]),
    ("5.2", "a folded line", b"GET /livez HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n" + NEXT, [400]),
    ("5.2", "a folded length", post(b"Content-Length:\r\n %d\r\n" % len(NEXT), NEXT), [400]),
    ("5.2", "a folded length, by a tab", post(b"Content-Length: 1\r\n\t2\r\n", BODY), [400]),
    ("5.2", "a line that folds nothing", b"GET /livez HTTP/1.1\r\n" + HOST + b" \r\n\r\n" + NEXT, [400]),
    ("6", "a body that nobody wants", b"GET /livez HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(NEXT) + NEXT + NEXT, [200, 200]),
    ("6", "a body of a method that is not there", post(b"Content-Length: %d\r\n" % len(NEXT), NEXT + NEXT, target=b"/livez"), [405, 200]),
    ("6", "a chunked body of it", post(b"Transfer-Encoding: chunked\r\n", b"%x\r\n" % len(NEXT) + NEXT + b"\r\n0\r\n\r\n" + NEXT, target=b"/livez"), [405]),
    ("6.1", "Transfer-Encoding and Content-Length", post(b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % (5 + len(NEXT)), b"0\r\n\r\n" + NEXT), [400]),
    ("6.1", "the other way round", post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.1", "two Transfer-Encoding", post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.1", "chunked twice", post(b"Transfer-Encoding: chunked, chunked\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.1", "Transfer-Encoding in HTTP/1.0", post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n" + NEXT, b"HTTP/1.0"), [400]),
    ("6.1", "a coding that nobody knows here", post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n" + NEXT), [501]),
    ("6.3", "a coding that does not end in chunked", post(b"Transfer-Encoding: chunked, gzip\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.3", "identity", post(b"Transfer-Encoding: identity\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.3", "a coding that only looks like it", post(b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.3", "chunked behind a control character", post(b"Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.3", "an empty coding", post(b"Transfer-Encoding:\r\n", b"0\r\n\r\n" + NEXT), [400]),
    ("6.3", "two lengths", post(b"Content-Length: 0\r\nContent-Length: %d\r\n" % len(NEXT), NEXT), [400]),
    ("6.3", "two equal lengths", post(LENGTH + LENGTH, BODY), [400]),
    ("6.3", "two lengths, of any case", post(LENGTH + b"cONTENT-lENGTH: 3\r\n", BODY), [400]),
    ("6.3", "a list of lengths", post(b"Content-Length: 12, 12\r\n", BODY), [400]),
    ("6.3", "a length with a sign", post(b"Content-Length: +12\r\n", BODY), [400]),
    ("6.3", "a negative length", post(b"Content-Length: -12\r\n", BODY), [400]),
    ("6.3", "a length in hexadecimal", post(b"Content-Length: 0xc\r\n", BODY), [400]),
    ("6.3", "a length with a blank", post(b"Content-Length: 1 2\r\n", BODY), [400]),
    ("6.3", "an empty length", post(b"Content-Length:\r\n", BODY), [400]),
    ("6.3", "a length with a fraction", post(b"Content-Length: 12.0\r\n", BODY), [400]),
    ("6.3", "a length beyond 64 bits", post(b"Content-Length: 18446744073709551628\r\n", BODY), [400]),
    ("6.3", "a length with zeros before", post(b"Content-Type: application/json\r\nContent-Length: 0012\r\n", BODY), [200]),
    ("7.1", "chunks", chunked(b"5\r\n" + BODY[:5] + b"\r\n7\r\n" + BODY[5:] + b"\r\n0\r\n\r\n"), [200]),
    ("7.1", "chunks, their sizes in any case, with zeros", chunked(b"00C\r\n" + BODY + b"\r\n000\r\n\r\n"), [200]),
    ("7.1", "a chunk with a sign", chunked(b"+c\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [400]),
    ("7.1", "a negative chunk", chunked(b"-c\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [400]),
    ("7.1", "a chunk in another form", chunked(b"0xc\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [400]),
    ("7.1", "a chunk without a size", chunked(b"\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [400]),
    ("7.1", "a blank behind the size", chunked(b"c \r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [400]),
    ("7.1", "a chunk beyond 64 bits", chunked(b"1000000000000000c\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [413]),
    ("7.1", "a chunk that is longer than it says", chunked(b"b\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [400]),
    ("7.1.1", "an extension that nobody knows", chunked(b'c;a=1;b="2"\r\n' + BODY + b"\r\n0;c\r\n\r\n"), [200]),
    ("7.1.1", "one that is too long", chunked(b"c;" + b"x" * 70000 + b"\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [500]),
    ("7.1.2", "trailers", chunked(b"c\r\n" + BODY + b"\r\n0\r\nX: a\r\n\r\n"), [200]),
    ("7.1.2", "trailers change nothing", chunked(b"c\r\n" + BODY + b"\r\n0\r\nContent-Length: 3\r\nHost: evil.example\r\n\r\n"), [200]),
    ("7.1.2", "a blank before the colon of a trailer", chunked(b"c\r\n" + BODY + b"\r\n0\r\nX : a\r\n\r\n" + NEXT), [400]),
    ("7.1", "sizes that end in LF alone are read as one request", chunked(b"c\n" + BODY + b"\r\n0\r\n\r\n" + NEXT), [200, 200]),
    ("7.1", "and so are chunks", chunked(b"c\r\n" + BODY + b"\n0\r\n\r\n" + NEXT), [200, 200]),
    ("7.1.2", "and trailers", chunked(b"c\r\n" + BODY + b"\r\n0\r\nX: a\n\r\n" + NEXT), [200, 200]),
    ("9.3", "two requests on a connection", NEXT + NEXT, [200, 200]),
    ("9.3.2", "answers come in order", b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n" + post(LENGTH + b"Content-Type: application/json\r\n", BODY) + b"GET /none HTTP/1.1\r\n" + HOST + b"\r\n", [200, 200, 404]),
    ("9.3", "HTTP/1.0 ends", b"GET /livez HTTP/1.0\r\n" + HOST + b"\r\n" + NEXT, [200]),
    ("9.6", "Connection: close ends", b"GET /livez HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n" + NEXT, [200]),
    ("9.6", "in any case, in a list", b"GET /livez HTTP/1.1\r\n" + HOST + b"Connection: x, CLOSE\r\n\r\n" + NEXT, [200]),
)
ENDING = {400, 413, 414, 431, 500, 501, 505}
# Of a request that ends before it is whole, the size and the bytes of its body.
INCOMPLETE = (
    b"Content-Length: %d\r\n\r\n%b",
    b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b",
    b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\nX: a\r\n",
)


def ends_early(sent, expected):
    """Whether the server may end the connection before all was sent: then the answer may be lost on its way."""
    is_refused_before_its_body = expected[0] >= 400 and b"chunked" in sent
    return expected[0] in ENDING or is_refused_before_its_body or b" HTTP/1.0\r\n" in sent or b"close\r\n" in sent.lower()


def statuses(answer):
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d+)", answer)]


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def ask(self, pieces):
        """Sends pieces, closes that side, and returns all that comes until the other one is closed."""
        with socket.create_connection(("127.0.0.1", self.service.port), LONGEST_WAIT) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                for piece in pieces:
                    client.sendall(piece)
                client.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it may close before all was sent
            return self.rest(client)

    @staticmethod
    def rest(client):
        answer = b""
        try:
            while more := client.recv(65536):
                answer += more
        except ConnectionResetError:
            pass  # it is closed, too
        return answer

    def test_each_rule(self):
        for section, what, sent, expected in RULES:
            with self.subTest(f"{section}: {what}"):
                self.assertEqual(statuses(self.ask([sent])), expected)

    def test_each_rule_byte_by_byte(self):
        for section, what, sent, expected in RULES:
            if len(sent) > 1000:
                continue
            with self.subTest(f"{section}: {what}"):
                found = statuses(self.ask([sent[i:i + 1] for i in range(len(sent))]))
                lost = [] if ends_early(sent, expected) else expected
                self.assertIn(found, (expected, lost))

    def test_what_is_refused_ends_the_connection(self):
        for section, what, sent, expected in RULES:
            if expected[0] not in ENDING or "8,000" in what:
                continue
            with self.subTest(f"{section}: {what}"), socket.create_connection(("127.0.0.1", self.service.port), LONGEST_WAIT) as client:
                client.sendall(sent)
                self.assertEqual(statuses(self.rest(client)), expected)

    def test_many_headers_of_any_length_are_whole(self):
        for count, length in ((1, 20000), (30, 500), (200, 20), (97, 101)):
            fields = b"".join(b"X-%d: %s\r\n" % (i, b"v" * length) for i in range(count))
            sent = b"GET /livez HTTP/1.1\r\n" + HOST + fields + b"\r\n" + NEXT
            for step in (len(sent), 1, 7, 1000):
                with self.subTest(count=count, step=step):
                    self.assertEqual(statuses(self.ask([sent[i:i + step] for i in range(0, len(sent), step)])), [200, 200])

    def test_expect(self):
        with socket.create_connection(("127.0.0.1", self.service.port), LONGEST_WAIT) as client:
            client.sendall(post(b"Expect: 100-continue\r\nContent-Type: application/json\r\n" + LENGTH))
            answer = client.recv(1000)
            self.assertTrue(answer.startswith(b"HTTP/1.1 100"), answer)
            client.sendall(BODY)
            self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 200"))

    def test_expect_of_HTTP_1_0_is_not_heard(self):
        sent = post(b"Expect: 100-continue\r\nContent-Type: application/json\r\n" + LENGTH, BODY, b"HTTP/1.0")
        self.assertEqual(statuses(self.ask([sent])), [200])

    def test_what_did_not_come_whole_is_not_done(self):
        document = b'{"id":"cut","text":"The ferry leaves at noon."}'
        begin = b"POST /v1/check-and-insert HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
        for number, form in enumerate(INCOMPLETE):
            body = document if number else document[:-1]
            with self.subTest(form=form):
                self.assertIn(statuses(self.ask([begin + form % (len(document), body)])), ([], [400]))
                self.assertEqual(self.service.get("/v1/documents/cut")[0], 404)

    def test_each_answer_is_dated_and_a_405_names_what_is_allowed(self):
        for sent in (NEXT, b"GET /none HTTP/1.1\r\n" + HOST + b"\r\n", b"GET /livez HTTP/1.1\r\n\r\n"):
            self.assertIn(b"\r\nDate: ", self.ask([sent]))
        self.assertIn(b"\r\nAllow: GET", self.ask([b"PUT /livez HTTP/1.1\r\n" + HOST + b"\r\n"]))

    def test_head_has_no_body(self):
        answer = self.ask([b"HEAD /livez HTTP/1.1\r\n" + HOST + b"\r\n"])
        self.assertEqual(answer.split(b"\r\n\r\n", 1)[1], b"")

    def test_a_client_that_only_closed_its_side_is_answered(self):
        text = json.dumps({"id": "half", "text": "word " * 50000}).encode()
        sent = post(b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(text), text, target=b"/v1/check-and-insert")
        self.assertEqual(statuses(self.ask([sent])), [200])

    def open_connections(self):
        rows = [line for line in self.service.get("/metrics")[1].decode().splitlines() if line.startswith("neardup_connections ")]
        return int(rows[0].split()[1])

    def leave(self, sent, mode):
        client = socket.create_connection(("127.0.0.1", self.service.port), LONGEST_WAIT)
        client.sendall(sent)
        if mode == "half":
            client.shutdown(socket.SHUT_WR)
            return client
        if mode == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()
        return None

    def test_who_is_gone_keeps_no_place(self):
        lines = b"Content-Type: application/x-ndjson\r\n"
        for sent in (b"", b"GET / HT", b"GET / HTTP/1.1\r\n", post(b"Content-Length: 1000\r\n", b"abc"), post(lines + b"Content-Length: 1000\r\n", b"{}\n"),
                     post(lines + b"Transfer-Encoding: chunked\r\n", b"3\r\n{}\n\r\n"), post(b"Transfer-Encoding: chunked\r\n", b"0\r\n"),
                     NEXT + b"GET /"):
            for mode in ("close", "half", "reset"):
                with self.subTest(sent=sent, mode=mode):
                    clients = [self.leave(sent, mode) for _ in range(20)]
                    begun = time.monotonic()
                    wait_until(lambda: self.open_connections() <= 1, "connections are kept")
                    self.assertLess(time.monotonic() - begun, 20, "the limits of time are 60 s")
                    for client in clients:
                        if client:
                            client.close()


class Stops(unittest.TestCase):
    def test_a_stop_waits_for_nobody_who_is_gone(self):
        with Service(PROGRAM) as service:
            clients = []
            for _ in range(10):
                client = socket.create_connection(("127.0.0.1", service.port), LONGEST_WAIT)
                client.sendall(post(b"Content-Length: 1000\r\n", b"abc"))
                client.shutdown(socket.SHUT_WR)
                clients.append(client)
            begun = time.monotonic()
            self.assertEqual(service.end(), 0)
            self.assertLess(time.monotonic() - begun, 15, "it waits 30 s for requests that may still end")
            for client in clients:
                client.close()


if __name__ == "__main__":
    unittest.main()
