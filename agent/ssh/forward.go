package sshd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"gantry.dev/agent/ssh/wire"
	"golang.org/x/crypto/ssh"
)

const dialLimit = 10 * time.Second

var errElsewhere = errors.New("forwarding reaches this instance only (localhost, its own addresses and its own name)")

// forward opens a connection from the client to a port, or a socket, of this instance.
func (c *connection) forward(offer ssh.NewChannel, network string) {
	// Dialled in the background: one dead port must not hold up the others.
	if !c.forwardSlots.Take() {
		_ = offer.Reject(ssh.ResourceShortage, fmt.Sprintf("not more than %d forwarded connections", maxForwards))
		return
	}
	c.guard.Go(func() {
		defer c.forwardSlots.Free()
		target, err := c.dial(network, offer.ExtraData())
		switch {
		case errors.Is(err, errElsewhere):
			_ = offer.Reject(ssh.Prohibited, err.Error())
			return
		case err != nil:
			_ = offer.Reject(ssh.ConnectionFailed, err.Error())
			return
		}
		defer target.Close()
		channel, requests, err := offer.Accept()
		if err != nil {
			return
		}
		wire.Relay(c.guard, channel, requests, target)
	})
}

func (c *connection) dial(network string, extra []byte) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialLimit)
	defer cancel()
	var dialer net.Dialer
	if network == "unix" {
		var asked struct {
			Path     string
			Reserved string
			Number   uint32
		}
		if err := ssh.Unmarshal(extra, &asked); err != nil {
			return nil, err
		}
		// The socket's permissions would be asked about us and not about the user.
		if int(c.account.uid) != os.Geteuid() {
			return nil, errElsewhere
		}
		return dialer.DialContext(ctx, "unix", asked.Path)
	}
	var asked struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}
	if err := ssh.Unmarshal(extra, &asked); err != nil {
		return nil, err
	}
	addresses, err := ownAddresses(ctx, asked.Host)
	if err != nil {
		return nil, err
	}
	err = errElsewhere
	for _, address := range addresses {
		var target net.Conn
		target, err = dialer.DialContext(ctx, "tcp", net.JoinHostPort(address.String(), strconv.Itoa(int(asked.Port))))
		if err == nil {
			return target, nil
		}
	}
	return nil, err
}

// ownAddresses are the addresses of this instance that a host means; none is an error. The checked address is the one dialled: a
// name is never looked up twice.
func ownAddresses(ctx context.Context, host string) ([]netip.Addr, error) {
	loopback := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	if strings.EqualFold(host, "localhost") {
		return loopback, nil
	}
	if address, err := netip.ParseAddr(host); err == nil {
		address = address.Unmap()
		switch {
		case address.IsUnspecified():
			return loopback, nil
		case address.IsLoopback() || isOwn(address):
			return []netip.Addr{address}, nil
		}
		return nil, errElsewhere
	}
	// Only names that begin like ours are looked up.
	self, err := os.Hostname()
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	self = strings.ToLower(self)
	if err != nil || self == "" || (name != self && !strings.HasPrefix(name, self+".")) {
		return nil, errElsewhere
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil, err
	}
	var own []netip.Addr
	for _, address := range found {
		if address = address.Unmap(); address.IsLoopback() || isOwn(address) {
			own = append(own, address)
		}
	}
	if len(own) == 0 {
		return nil, errElsewhere
	}
	return own, nil
}

func isOwn(address netip.Addr) bool {
	interfaces, _ := net.InterfaceAddrs()
	for _, each := range interfaces {
		if prefix, err := netip.ParsePrefix(each.String()); err == nil && prefix.Addr().Unmap() == address {
			return true
		}
	}
	return false
}

type remoteForward struct {
	Address string
	Port    uint32
}

// listen serves `ssh -R`: a port of the instance's loopback, and of nothing else, leads to the client.
func (c *connection) listen(payload []byte) (reply []byte, ok bool) {
	var asked remoteForward
	if ssh.Unmarshal(payload, &asked) != nil || asked.Port > 65535 {
		return nil, false
	}
	address := asked.Address
	if strings.EqualFold(address, "localhost") {
		address = "127.0.0.1"
	}
	if parsed, err := netip.ParseAddr(address); err != nil || !parsed.IsLoopback() {
		return nil, false
	}
	if asked.Port != 0 && asked.Port < 1024 && c.account.uid != 0 {
		return nil, false
	}
	if !c.forwardSlots.Take() {
		return nil, false
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(int(asked.Port))))
	if err != nil {
		c.forwardSlots.Free()
		return nil, false
	}
	port := uint32(listener.Addr().(*net.TCPAddr).Port)
	if asked.Port == 0 {
		reply = ssh.Marshal(struct{ Port uint32 }{port})
	}
	asked.Port = port
	c.mu.Lock()
	isLate := c.listeners == nil
	if !isLate {
		c.listeners[asked.key()] = listener
	}
	c.mu.Unlock()
	if isLate {
		c.forwardSlots.Free()
		_ = listener.Close()
		return nil, false
	}
	c.guard.Go(func() {
		defer c.forwardSlots.Free()
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			c.guard.Go(func() { c.toClient(asked, from) })
		}
	})
	return reply, true
}

func (f remoteForward) key() string { return fmt.Sprintf("%s %d", f.Address, f.Port) }

func (c *connection) toClient(at remoteForward, from net.Conn) {
	defer from.Close()
	if !c.forwardSlots.Take() {
		return
	}
	defer c.forwardSlots.Free()
	origin := from.RemoteAddr().(*net.TCPAddr)
	channel, requests, err := c.ssh.OpenChannel("forwarded-tcpip", ssh.Marshal(struct {
		Address    string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}{at.Address, at.Port, origin.IP.String(), uint32(origin.Port)}))
	if err != nil {
		return
	}
	wire.Relay(c.guard, channel, requests, from)
}

func (c *connection) unlisten(payload []byte) bool {
	var asked remoteForward
	if ssh.Unmarshal(payload, &asked) != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	listener, found := c.listeners[asked.key()]
	if found {
		delete(c.listeners, asked.key())
		_ = listener.Close()
	}
	return found
}

func (c *connection) closeListeners() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, listener := range c.listeners {
		_ = listener.Close()
	}
	c.listeners = nil
}
