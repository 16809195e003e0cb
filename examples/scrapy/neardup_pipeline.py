"""neardup_pipeline: a Scrapy item pipeline that asks `neardup serve` of each page whether it was seen before.

    ITEM_PIPELINES = {"neardup_pipeline.NearDuplicatesPipeline": 300}
    NEARDUP_URL = "http://127.0.0.1:7464"

An item needs "url", its id in the store, and "html" or "text". It gets "neardup": {"verdict": "new" | "exact" | "near",
"duplicate_of", "similarity", "distance"}; those that are not new are dropped unless NEARDUP_DROP is False. The verdict is
durable when it comes, and of two copies that come at once one is new. The same URL with the same text again gets its
first verdict, so a crawl that is resumed loses nothing; with another text it is compared anew.

| setting | what | default |
|---|---|---|
| NEARDUP_URL | where the service listens | http://127.0.0.1:7464 |
| NEARDUP_KEY | sent as Authorization: Bearer | none |
| NEARDUP_DROP | drop what is not new | True |
| NEARDUP_ID_FIELD | the field with the id | "url" |
| NEARDUP_TAG | of all documents of the crawl | none |
| NEARDUP_TRANSACTION | the crawl counts for others when the spider has finished; else it is cancelled | False |
| NEARDUP_TRIES | of a request that is answered by 429 or 503, or not at all | 8 |
"""
import asyncio
import http.client
import json
import threading
import time
import urllib.parse

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import DropItem, NotConfigured

TRY_AGAIN = (429, 503, 507)


class ServiceError(Exception):
    """The service refused a request, or cannot be reached."""


class Service:
    """The HTTP API of `neardup serve`; a connection for each thread that asks."""

    def __init__(self, url, key=None, tries=8, timeout=60):
        self.url = urllib.parse.urlsplit(url)
        if self.url.scheme not in ("http", "https") or not self.url.hostname:
            raise NotConfigured(f"NEARDUP_URL is no address of a service: {url}")
        self.headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self.tries, self.timeout = tries, timeout
        self.local = threading.local()

    def post(self, path, document=None):
        """Returns the answer. Sending again is safe: what has an id gets its first verdict again."""
        body = json.dumps(document).encode() if document is not None else b""
        for left in reversed(range(self.tries)):
            status, wait, answer = self._try(path, body)
            if status == 200:
                return answer
            if left == 0 or (status is not None and status not in TRY_AGAIN):
                raise ServiceError(f"{path}: {status or 'no answer'}: {answer}")
            time.sleep(wait)

    def _try(self, path, body):
        """Returns the status (None: no answer), seconds until the next try, and the answer."""
        connection = self._connection()
        try:
            connection.request("POST", self.url.path.rstrip("/") + path, body, self.headers)
            response = connection.getresponse()
            answer = json.loads(response.read() or b"{}")
            return response.status, float(response.headers.get("Retry-After", 1)), answer
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            self.local.connection = None
            return None, 1, str(error)

    def _connection(self):
        if getattr(self.local, "connection", None) is None:
            secure = self.url.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self.local.connection = kind(self.url.hostname, self.url.port, timeout=self.timeout)
        return self.local.connection


class NearDuplicatesPipeline:
    def __init__(self, crawler):
        settings = crawler.settings
        self.crawler = crawler
        self.service = Service(settings.get("NEARDUP_URL", "http://127.0.0.1:7464"), settings.get("NEARDUP_KEY"),
                               settings.getint("NEARDUP_TRIES", 8))
        self.drops = settings.getbool("NEARDUP_DROP", True)
        self.id_field = settings.get("NEARDUP_ID_FIELD", "url")
        self.tag = settings.get("NEARDUP_TAG")
        self.is_transaction = settings.getbool("NEARDUP_TRANSACTION", False)
        if self.is_transaction and not self.tag:
            raise NotConfigured("NEARDUP_TRANSACTION needs a NEARDUP_TAG")

    @classmethod
    def from_crawler(cls, crawler):
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.spider_closed, signal=signals.spider_closed)
        return pipeline

    async def open_spider(self):
        if self.is_transaction:
            await self._ask(f"{self._tag_path()}/begin")

    async def process_item(self, item):
        adapter = ItemAdapter(item)
        answer = await self._ask("/v1/check-and-insert", self._document(adapter))
        self.crawler.stats.inc_value(f"neardup/{answer['verdict']}")
        adapter["neardup"] = {name: answer[name] for name in ("verdict", "duplicate_of", "similarity", "distance")}
        if self.drops and answer["verdict"] != "new":
            raise DropItem(f"{answer['verdict']} copy of {answer['duplicate_of']}")
        return item

    async def spider_closed(self, spider, reason):
        """All items are through; a crawl that did not finish must not hide pages from later ones."""
        if self.is_transaction:
            await self._ask(f"{self._tag_path()}/{'commit' if reason == 'finished' else 'cancel'}")

    def _document(self, adapter):
        field = "html" if adapter.get("html") else "text"
        document = {"id": adapter[self.id_field], field: adapter.get(field) or ""}
        return document | ({"tag": self.tag} if self.tag else {})

    def _tag_path(self):
        return f"/v1/tags/{urllib.parse.quote(self.tag, safe='')}"

    async def _ask(self, path, document=None):
        """In a thread: the crawl goes on meanwhile, and as many items wait together as CONCURRENT_ITEMS allows."""
        return await asyncio.to_thread(self.service.post, path, document)
