// Package serve lets other machines play the games of a command: flags, and the service
// that hands games out.
package serve

import (
	"strconv"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/cluster/broker"
	"github.com/spf13/cobra"
)

// Flags are those by which other machines play.
type Flags struct {
	addr, nats        string
	noPlay, anyKernel bool
	audit             float64
}

// defaultAudit finds a worker that falsifies a tenth of its leases within a thousand of
// them in 99 of 100 cases.
const defaultAudit = 0.05

// Add adds the flags to c; noPlay says what --no-play does.
func (f *Flags) Add(c *cobra.Command, noPlay string) {
	c.Flags().StringVar(&f.addr, "serve", "", "let other machines play by ludozero work: listen at `HOST:PORT`, HOST or :PORT")
	c.Flags().StringVar(&f.nats, "nats", "", "let other machines play, through the NATS server at this `URL`")
	c.Flags().BoolVar(&f.noPlay, "no-play", false, "with --serve or --nats: "+noPlay)
	c.Flags().Float64Var(&f.audit, "audit", defaultAudit, "with --serve or --nats: share of leases that a second worker plays, too, to find who computes wrongly")
	c.Flags().BoolVar(&f.anyKernel, "any-kernel", false, "with --serve or --nats: let machines play that compute with other kernels; the files are then not those of one machine, bit for bit, and nothing is audited")
}

// On reports whether other machines are to play.
func (f *Flags) On() bool { return f.addr != "" || f.nats != "" }

// Check reports flags that cannot be, and settles what follows from others.
func (f *Flags) Check(c *cobra.Command) error {
	for _, name := range []string{"no-play", "audit", "any-kernel", "equal-machines"} {
		if !f.On() && c.Flags().Changed(name) {
			return shell.Usagef("--%s: want --serve or --nats with it, or nobody else plays", name)
		}
	}
	if _, err := strconv.ParseUint(f.addr, 10, 16); err == nil {
		return shell.Usagef("--serve %s: want :%s for that port", f.addr, f.addr)
	}
	switch {
	case f.addr != "" && f.nats != "":
		return shell.Usagef("--serve and --nats: want one of them")
	case f.nats != "" && !broker.IsURL(f.nats):
		return shell.Usagef("--nats %s: want the URL of a NATS server, such as nats://mars:4222", f.nats)
	}
	if f.anyKernel && !c.Flags().Changed("audit") {
		f.audit = 0
	}
	o := f.Options()
	if err := o.Validate(); err != nil {
		return shell.Usage(err)
	}
	return nil
}

// Options are what the flags say to a host.
func (f *Flags) Options() cluster.HostOptions {
	return cluster.HostOptions{Audit: f.audit, AnyKernel: f.anyKernel}
}
