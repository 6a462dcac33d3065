package imagesize

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// Needs is what an image's configuration asks for; nil where it says nothing.
type Needs struct {
	// Cards; 0 where it says that it needs none. An image that is built for CUDA and names no number needs one.
	GPUs *int `json:"gpus,omitempty"`
	// Memory of one card, in GiB.
	GPUMemoryGi *int `json:"gpuMemoryGi,omitempty"`
	Cores       *int `json:"cores,omitempty"`
	MemoryGi    *int `json:"memoryGi,omitempty"`
}

// Labels that an image may carry. No larger number is believed.
var labels = []struct {
	name  string
	most  int
	field func(*Needs) **int
}{
	{"gantry.dev/gpus", 16, func(n *Needs) **int { return &n.GPUs }},
	{"gantry.dev/gpu-memory-gi", 1024, func(n *Needs) **int { return &n.GPUMemoryGi }},
	{"gantry.dev/cores", 1024, func(n *Needs) **int { return &n.Cores }},
	{"gantry.dev/memory-gi", 16384, func(n *Needs) **int { return &n.MemoryGi }},
}

// A variable of NVIDIA's own images, and of those built from them.
const cuda = "NVIDIA_REQUIRE_CUDA="

// needs asks for a configuration. Nobody waits for advice: what cannot be read asks for nothing.
func (a *asking) needs(ctx context.Context, config string) Needs {
	if config == "" {
		return Needs{}
	}
	body, err := a.get(ctx, "blobs", config)
	if err != nil {
		return Needs{}
	}
	return needsOf(body)
}

func needsOf(configuration []byte) (needs Needs) {
	var image struct {
		Config struct {
			Labels map[string]string
			Env    []string
		} `json:"config"`
	}
	if json.Unmarshal(configuration, &image) != nil {
		return Needs{}
	}
	for _, variable := range image.Config.Env {
		if strings.HasPrefix(variable, cuda) {
			one := 1
			needs.GPUs = &one
		}
	}
	for _, label := range labels {
		if number, err := strconv.Atoi(image.Config.Labels[label.name]); err == nil && number >= 0 && number <= label.most {
			*label.field(&needs) = &number
		}
	}
	return needs
}
