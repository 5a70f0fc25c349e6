"""Reads JUnit XML with junitparser, and prints the suites and cases."""

import sys

from junitparser import JUnitXml

report = JUnitXml.fromstring(sys.stdin.buffer.read())
counted = JUnitXml.fromstring(report.tostring())
counted.update_statistics()
print(report.tests, report.failures, counted.tests, counted.failures)
for suite in report:
    print(f"{suite.name}: {suite.tests} tests, {suite.failures} failures")
    for case in suite:
        results = [f"{type(result).__name__} {result.type}: {result.message}" for result in case.result]
        print(f"  {case.classname} | {case.name} | {results} | {case.system_out}")
