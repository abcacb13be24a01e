package pgconn

type CommandTag struct{}

type PgError struct{ Code string }

func (*PgError) Error() string { return "" }

func SafeToRetry(err error) bool { return err.(interface{ SafeToRetry() bool }).SafeToRetry() }

func Timeout(err error) bool { return err.(interface{ Timeout() bool }).Timeout() }
