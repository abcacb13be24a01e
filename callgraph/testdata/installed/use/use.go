// Package use has the comment "installs: N" beside each call that puts a layer of N attempts around something.
package use

import "example.com/installed/layer"

func Handlers(most int) []layer.Middleware {
	return []layer.Middleware{
		layer.Logging(),
		layer.Retrying(4),    // installs: 4
		layer.Retrying(most), // installs: most
		layer.Twice(),        // installs: 2
	}
}

func Stages() []layer.Stage {
	return []layer.Stage{layer.Staged(6)} // installs: 6
}

func Client() *layer.Config {
	config := &layer.Config{}
	return layer.AddPatience(config, 3) // installs: 4
}

func local(n int) layer.Middleware { return layer.Retrying(n) } // installs: n

var Default = local(5) // installs: 5
