package facts // want package:"facts"
