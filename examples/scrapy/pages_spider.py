"""pages_spider: a small spider for the pipeline: every page of a site that it is given.

    scrapy runspider pages_spider.py -a start=http://127.0.0.1:8000/ -O pages.jsonl
"""
import scrapy

# From the folder of this file, which runspider has on its path while it reads it. In a project of your own the name does
# too: {"yourproject.neardup_pipeline.NearDuplicatesPipeline": 300}.
from neardup_pipeline import NearDuplicatesPipeline


class PagesSpider(scrapy.Spider):
    name = "pages"
    custom_settings = {"ITEM_PIPELINES": {NearDuplicatesPipeline: 300}}

    def __init__(self, start=None, **arguments):
        super().__init__(**arguments)
        self.start_urls = [start]

    def parse(self, response):
        yield {"url": response.url, "html": response.text}
        yield from response.follow_all(css="a", callback=self.parse)
