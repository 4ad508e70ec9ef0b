package lint

var rootRules = []Rule{}
