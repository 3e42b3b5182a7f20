
    // +opctl:rback:groups=a,resources=x,verbs=get
