package registry

import (
	"fmt"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var (
	secrets      = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	pods         = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	tokenReviews = schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "tokenreviews"}
	snapshots    = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "snapshots"}
	images       = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "images"}
	jobs         = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "gpujobs"}
	processes    = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "dataprocesses"}
	tunings      = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "finetunes"}
	evaluations  = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "evaluations"}
	deployed     = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "containerservices"}
	instances    = schema.GroupVersionResource{Group: "gantry.dev", Version: "v1alpha1", Resource: "gpuinstances"}
)

// Cluster is the API server, known once its kubeconfig is there: the registry has to serve the images that a cluster needs
// before it has one.
type Cluster struct {
	// Empty: the account of our own Pod.
	kubeconfig string
	mutex      sync.Mutex
	known      dynamic.Interface
}

func (c *Cluster) client() (dynamic.Interface, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.known != nil {
		return c.known, nil
	}
	config, err := c.config()
	if err != nil {
		return nil, fmt.Errorf("the API server is not known yet: %w", err)
	}
	config.QPS, config.Burst = 50, 100
	config.UserAgent = "gantry-registry"
	c.known, err = dynamic.NewForConfig(config)
	return c.known, err
}

func (c *Cluster) config() (*rest.Config, error) {
	if c.kubeconfig == "" {
		return rest.InClusterConfig()
	}
	text, err := os.ReadFile(c.kubeconfig)
	if err != nil {
		return nil, err
	}
	return clientcmd.RESTConfigFromKubeConfig(text)
}
