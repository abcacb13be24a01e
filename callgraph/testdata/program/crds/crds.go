// Package crds is a client as generators write it: its methods are promoted from what the library has for that.
package crds

import (
	"time"

	"k8s.io/client-go/gentype"
)

type Rollout struct{ Name string }

type RolloutInterface interface {
	Patch(name string) (*Rollout, error)
	List() ([]*Rollout, error)
}

type rollouts struct {
	*gentype.ClientWithList[*Rollout]
}

func NewRollouts() RolloutInterface {
	return &rollouts{gentype.NewClientWithList(func() *Rollout { return &Rollout{} })}
}

type Controller struct{ rollouts RolloutInterface }

func NewController() *Controller { return &Controller{rollouts: NewRollouts()} } // -> crds.NewRollouts

func (c *Controller) Mark(name string) (err error) { // chain: 33 of Controller Controller
	for range 3 {
		if _, err = c.rollouts.Patch(name); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
