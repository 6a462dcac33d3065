package containerd

import (
	"context"
	"fmt"

	containersapi "github.com/containerd/containerd/api/services/containers/v1"
)

// Program is a tenant's container, as far as its log is concerned.
type Program struct {
	Container, Namespace, PodUID string
	// The newest file of its log; "" if the runtime notes none.
	LogPath string
}

func programOf(container *containersapi.Container) Program {
	labels := container.GetLabels()
	return Program{
		Container: container.GetID(), Namespace: labels[labelPodNamespace], PodUID: labels[labelPodUID], LogPath: notedOf(container).LogPath,
	}
}

// LoggedProgram is the program of a container whose log is kept when it ends: an instance's or a job's. ErrNotFound: it is none.
func (c *Client) LoggedProgram(ctx context.Context, id string) (Program, error) {
	calling, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.Get(calling, &containersapi.GetContainerRequest{ID: id})
	if err != nil {
		return Program{}, said("container "+id, err)
	}
	labels := answer.GetContainer().GetLabels()
	// Most containers of a node are none of ours: nothing more is asked about them.
	if labels[labelKind] != "container" || labels[labelContainerName] != MainContainer {
		return Program{}, fmt.Errorf("container %s is no program: %w", id, ErrNotFound)
	}
	kind, err := c.kindOf(ctx, labels[labelPodUID])
	if err != nil {
		return Program{}, err
	}
	if kind != kindInstance && kind != kindJob {
		return Program{}, fmt.Errorf("container %s is of a Pod of kind %q: %w", id, kind, ErrNotFound)
	}
	return programOf(answer.GetContainer()), nil
}

// JobPrograms lists those of jobs, whether they run or have ended.
func (c *Client) JobPrograms(ctx context.Context) ([]Program, error) {
	ctx, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.List(ctx, &containersapi.ListContainersRequest{
		Filters: []string{
			fmt.Sprintf(`labels.%q==sandbox,labels.%q==%s`, labelKind, labelGantryKind, kindJob),
			fmt.Sprintf(`labels.%q==container,labels.%q==%s`, labelKind, labelContainerName, MainContainer),
		},
	})
	if err != nil {
		return nil, said("containers", err)
	}
	ofJobs := map[string]bool{}
	for _, one := range answer.GetContainers() {
		if one.GetLabels()[labelKind] == "sandbox" {
			ofJobs[one.GetLabels()[labelPodUID]] = true
		}
	}
	var all []Program
	for _, one := range answer.GetContainers() {
		if labels := one.GetLabels(); labels[labelKind] == "container" && ofJobs[labels[labelPodUID]] {
			all = append(all, programOf(one))
		}
	}
	return all, nil
}
