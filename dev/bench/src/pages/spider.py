# A spider that follows all links of a site and keeps what the other contenders keep of a page.
import scrapy
from scrapy.linkextractors import LinkExtractor


class Pages(scrapy.Spider):
    name = "pages"
    links = LinkExtractor()

    async def start(self):
        yield scrapy.Request(self.origin + "/")

    def parse(self, response):
        links = [link.url for link in self.links.extract_links(response)]
        yield {
            "url": response.url,
            "status": response.status,
            "title": response.css("title::text").get(),
            "canonical": response.css("link[rel=canonical]::attr(href)").get(),
            "robots": response.css("meta[name=robots]::attr(content)").get(),
            "links": links,
        }
        for link in links:
            yield scrapy.Request(link, callback=self.parse)
