// Package platform knows what code runs on that repeats requests by itself, without any configuration that says so. Each row was
// read in the source that it names; a platform that does nothing of its own accord isn't here.
package platform

// A Platform is a mesh, gateway or runtime.
type Platform struct {
	Name  string // as in .retrylint.yml
	Label string // as in reports
	// Attempts are the total attempts of a request by default, under the condition When.
	Attempts int64
	When     string
	Source   string
}

// All are the platforms that are known, by name.
var All = []Platform{
	{"appmesh", "App Mesh", 3, "a connection that fails, 503, UNAVAILABLE", "awsdocs/aws-app-mesh-user-guide, doc_source/envoy-defaults.md"},
	{"dapr", "Dapr", 4, "service invocation: UNAVAILABLE, UNAUTHENTICATED", "dapr/dapr@d8450742ce pkg/resiliency/resiliency.go, addBuiltInPolicies"},
	{"haproxy", "HAProxy", 4, "a connection that can't be made", "haproxy/haproxy@50872daa6 include/haproxy/defaults.h, CONN_RETRIES"},
	{"ingress-nginx", "ingress-nginx", 3, "errors and timeouts; POST and PATCH only before they are sent", "kubernetes/ingress-nginx@dbb11b92d internal/ingress/controller/config/config.go"},
	{"istio", "Istio", 3, "a connection that fails, UNAVAILABLE, CANCELLED", "istio/istio@86c9f01fd7 pilot/pkg/networking/core/route/retry/retry.go"},
	{"kong", "Kong", 6, "errors and timeouts; POST and PATCH only before they are sent", "Kong/kong@22246ef28 kong/db/schema/entities/services.lua"},
	{"kuma", "Kuma", 6, "a connection that fails, 502 to 504, UNAVAILABLE", "kumahq/kuma@348b6528b pkg/defaults/mesh/meshretry.go"},
}

// Find returns the platform of this name, or nil.
func Find(name string) *Platform {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Names lists the names of all platforms.
func Names() []string {
	var list []string
	for _, p := range All {
		list = append(list, p.Name)
	}
	return list
}
