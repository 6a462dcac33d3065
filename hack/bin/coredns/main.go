// CoreDNS with the plugins that a cluster's own DNS needs: all of them would be four times the code to compile, most of
// it clients of clouds.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/hosts"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/loop"
	_ "github.com/coredns/coredns/plugin/metrics"
	_ "github.com/coredns/coredns/plugin/ready"
	_ "github.com/coredns/coredns/plugin/reload"
)

func init() {
	// The order in which a query passes them, as in CoreDNS's own plugin.cfg.
	dnsserver.Directives = []string{
		"reload", "health", "ready", "prometheus", "errors", "cache", "hosts", "kubernetes", "loop", "forward",
	}
}

func main() { coremain.Run() }
