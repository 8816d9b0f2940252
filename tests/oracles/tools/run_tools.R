# Rscript run_tools.R DATASETS.json OUT.json: what pROC, ROCR, PRROC and precrec say, at their defaults.
suppressMessages({library(jsonlite); library(pROC); library(ROCR); library(PRROC); library(precrec)})
args <- commandArgs(trailingOnly = TRUE)
datasets <- fromJSON(args[1])
one <- function(d) {
  y <- d$labels; s <- d$scores
  r <- roc(y, s, quiet = TRUE); p <- prediction(s, y)
  pr <- pr.curve(scores.class0 = s[y == 1], scores.class1 = s[y == 0])
  rc <- roc.curve(scores.class0 = s[y == 1], scores.class1 = s[y == 0])
  a <- auc(evalmod(scores = s, labels = y))
  ci <- suppressWarnings(as.numeric(ci.auc(r)))
  list(pROC = list(roc_auc = as.numeric(r$auc), direction = r$direction, ci_low = ci[1], ci_high = ci[3]),
       ROCR = list(roc_auc = performance(p, "auc")@y.values[[1]], pr_auc = performance(p, "aucpr")@y.values[[1]]),
       PRROC = list(roc_auc = rc$auc, auc_integral = pr$auc.integral, auc_davis_goadrich = pr$auc.davis.goadrich),
       precrec = list(roc_auc = a$aucs[a$curvetypes == "ROC"], pr_auc = a$aucs[a$curvetypes == "PRC"]))
}
versions <- lapply(c(pROC = "pROC", ROCR = "ROCR", PRROC = "PRROC", precrec = "precrec"), function(p) as.character(packageVersion(p)))
write(toJSON(list(versions = versions, results = lapply(datasets, one)), auto_unbox = TRUE, digits = NA, pretty = TRUE), args[2])
