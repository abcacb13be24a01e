package shop // want `retrylint could not analyse this package: broken: no such thing`

func Order(send func() error) (err error) {
	for range 3 { // want `told: loop`
		if err = send(); err == nil {
			return nil
		}
	}
	return err
}

func Quietly(send func() error) (err error) {
	for range 3 { //retrylint:ignore nestedretry.amplification the test says so
		if err = send(); err == nil {
			return nil
		}
	}
	return err
}
