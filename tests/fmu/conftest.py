def pytest_addoption(parser):
    parser.addoption("--program", help="the built program")
