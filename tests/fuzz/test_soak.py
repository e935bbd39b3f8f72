"""The soak test distinguishes growth from warm-up."""

from tests.fuzz.soak import Sample, growth


def test_growth_is_reported_but_warm_up_is_not() -> None:
    warm = [Sample(400, 5, 9)] * 4 + [Sample(900, 20, 15)] * 12
    assert growth(warm) == []
    leaking = [Sample(400 + 20 * number, 5 + number, 9 + number) for number in range(16)]
    assert [line.split()[0] for line in growth(leaking)] == ["megabytes", "threads", "descriptors"]
