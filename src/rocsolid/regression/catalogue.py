"""The measures of regression, one entry each."""

from __future__ import annotations

import math

from rocsolid.regression import measures as m

register, Entry = m.register, m.RegressionMeasure

MEAN_SQUARED_ERROR = register(
    Entry(
        name="mean_squared_error",
        aliases=("mse",),
        title="Mean squared error",
        title_zh="均方误差",
        definition="Mean of the squared differences of outcome and prediction.",
        definition_zh="真实值与预测值之差的平方的平均。",
        source="Gauss 1823, Theoria combinationis observationum",
        range=(0.0, math.inf),
        better="lower",
        value=m.mean_of(m.squared),
        influence=m.centred(m.squared),
        losses=m.squared,
    )
)
ROOT_MEAN_SQUARED_ERROR = register(
    Entry(
        name="root_mean_squared_error",
        aliases=("rmse",),
        title="Root mean squared error",
        title_zh="均方根误差",
        definition="Square root of the mean squared error, in the unit of the outcome.",
        definition_zh="均方误差的平方根，与真实值同单位。",
        source="Gauss 1823, Theoria combinationis observationum",
        range=(0.0, math.inf),
        better="lower",
        value=m.root,
        influence=m.root_influence,
        losses=m.squared,
    )
)
MEAN_ABSOLUTE_ERROR = register(
    Entry(
        name="mean_absolute_error",
        aliases=("mae",),
        title="Mean absolute error",
        title_zh="平均绝对误差",
        definition="Mean of the absolute differences of outcome and prediction.",
        definition_zh="真实值与预测值之差的绝对值的平均。",
        source="Laplace 1774; Willmott & Matsuura 2005, Climate Research 30:79-82",
        range=(0.0, math.inf),
        better="lower",
        value=m.mean_of(m.absolute),
        influence=m.centred(m.absolute),
        losses=m.absolute,
    )
)
MEDIAN_ABSOLUTE_ERROR = register(
    Entry(
        name="median_absolute_error",
        aliases=("median_ae",),
        title="Median absolute error",
        title_zh="绝对误差中位数",
        definition="Median of the absolute differences of outcome and prediction.",
        definition_zh="真实值与预测值之差的绝对值的中位数。",
        source="Hampel 1974, JASA 69:383-393, for errors about 0",
        range=(0.0, math.inf),
        better="lower",
        value=m.median,
    )
)
MAX_ERROR = register(
    Entry(
        name="max_error",
        aliases=("max_absolute_error",),
        title="Largest error",
        title_zh="最大误差",
        definition="Largest absolute difference of outcome and prediction.",
        definition_zh="真实值与预测值之差的绝对值的最大值。",
        source="Chebyshev 1854",
        range=(0.0, math.inf),
        better="lower",
        value=m.largest,
    )
)
MEAN_ABSOLUTE_PERCENTAGE_ERROR = register(
    Entry(
        name="mean_absolute_percentage_error",
        aliases=("mape",),
        title="Mean absolute percentage error",
        title_zh="平均绝对百分比误差",
        definition="Mean of the absolute errors as shares (not percentages) of the absolute outcome.",
        definition_zh="绝对误差占真实值绝对值之比例（非百分数）的平均。",
        source="Makridakis 1993, International Journal of Forecasting 9:527-529",
        range=(0.0, math.inf),
        better="lower",
        value=m.mean_relative,
        influence=m.centred(m.relative),
        losses=m.relative,
    )
)
PINBALL_LOSS = register(
    Entry(
        name="pinball_loss",
        aliases=("mean_pinball_loss", "quantile_loss"),
        title="Pinball loss",
        title_zh="分位数损失",
        definition="Mean of alpha (y - p) where the outcome is above the prediction, (1 - alpha)(p - y) where below.",
        definition_zh="真实值高于预测时为 alpha (y - p)，低于预测时为 (1 - alpha)(p - y)，取平均。",
        source="Koenker & Bassett 1978, Econometrica 46:33-50",
        range=(0.0, math.inf),
        better="lower",
        value=m.mean_of(m.pinball),
        influence=m.centred(m.pinball),
        losses=m.pinball,
        options=m.Pinball,
    )
)
R2_SCORE = register(
    Entry(
        name="r2_score",
        aliases=("r2", "r_squared"),
        title="R squared",
        title_zh="决定系数 R2",
        definition="1 less mean squared error over the variance of the outcomes; negative if worse than their mean.",
        definition_zh="1 减去均方误差与真实值方差之比；比预测均值更差时为负。",
        source="Kvalseth 1985, The American Statistician 39:279-285, definition 1",
        range=(-math.inf, 1.0),
        better="higher",
        value=m.share_of_variance(m.squared),
        influence=m.share_influence(m.squared),
        losses=m.squared,
    )
)
EXPLAINED_VARIANCE = register(
    Entry(
        name="explained_variance",
        aliases=("explained_variance_score",),
        title="Explained variance",
        title_zh="可解释方差",
        definition="1 less the variance of the errors over the variance of the outcomes: R squared without the bias.",
        definition_zh="1 减去误差方差与真实值方差之比：不计偏差的 R2。",
        source="Kvalseth 1985, The American Statistician 39:279-285, definition 4",
        range=(-math.inf, 1.0),
        better="higher",
        value=m.share_of_variance(m.unexplained),
        influence=m.share_influence(m.unexplained),
        losses=m.unexplained,
    )
)
CONCORDANCE_INDEX = register(
    Entry(
        name="concordance_index",
        aliases=("c_index", "concordance"),
        title="Concordance index",
        title_zh="一致性指数",
        definition="Share of pairs with different outcomes that the predictions put in the same order; a tie is half.",
        definition_zh="真实值不同的样本对中，预测顺序与之一致的比例；预测相同计一半。",
        source="Harrell et al. 1982, JAMA 247:2543-2546, without censoring",
        range=(0.0, 1.0),
        better="higher",
        value=m.concordance,
        influence=m.concordance_influence,
        details=m.pair_details,
    )
)
