<?php
declare(strict_types=1);

namespace Tablegram;

defined( 'ABSPATH' ) || exit;

/** Orders, as the shop's own REST interface shows them. */
final class Orders {
	private const TOKEN  = '_tablegram_token';
	private const AGREED = '_tablegram_agreed';
	private const LOCALE = '_tablegram_locale';

	/** @var array<int, string> Orders that this request has changed, and what to call it. */
	private array $changed = array();

	public function __construct( private Outbox $outbox, private Carts $carts ) {}

	public function listen(): void {
		add_action( 'woocommerce_checkout_order_processed', array( $this, 'placed' ) );
		add_action( 'woocommerce_store_api_checkout_order_processed', array( $this, 'placed' ) );
		add_action( 'woocommerce_new_order', fn( $id ) => $this->note( (int) $id, 'order.created' ) );
		add_action( 'woocommerce_update_order', fn( $id ) => $this->note( (int) $id, 'order.updated' ) );
		add_action( 'woocommerce_untrash_order', fn( $id ) => $this->note( (int) $id, 'order.restored' ) );
		add_action( 'woocommerce_trash_order', fn( $id ) => $this->outbox->add( 'order.deleted', array( 'id' => (int) $id ) ) );
		add_action( 'woocommerce_delete_order', fn( $id ) => $this->outbox->add( 'order.deleted', array( 'id' => (int) $id ) ) );
		// One change of an order fires many hooks: it is told once, as it is in the end.
		add_action( 'shutdown', array( $this, 'tell' ), 5 );
	}

	/** @param int|\WC_Order $order The order that a customer has just placed. */
	public function placed( $order ): void {
		$order = $order instanceof \WC_Order ? $order : wc_get_order( $order );
		if ( ! $order ) {
			return;
		}
		$agreed = $this->carts->agreed();
		$order->update_meta_data( self::TOKEN, $this->carts->became_order() );
		$order->update_meta_data( self::LOCALE, determine_locale() );
		if ( null !== $agreed ) {
			$order->update_meta_data( self::AGREED, $agreed ? 'yes' : 'no' );
		}
		$order->save();
	}

	public function note( int $id, string $topic ): void {
		$this->changed[ $id ] ??= $topic;
	}

	public function tell(): void {
		foreach ( $this->changed as $id => $topic ) {
			$order = wc_get_order( $id );
			if ( $order instanceof \WC_Order && 'checkout-draft' !== $order->get_status() ) {
				$this->outbox->add( $topic, $this->body( $order ) );
			}
		}
		$this->changed = array();
	}

	/** @return array<string, mixed> */
	private function body( \WC_Order $order ): array {
		$agreed = $order->get_meta( self::AGREED );
		$own    = array(
			'checkout_token' => (string) $order->get_meta( self::TOKEN ),
			'locale'         => (string) $order->get_meta( self::LOCALE ),
			'view_url'       => $order->get_checkout_order_received_url(),
		);
		if ( '' !== $agreed ) {
			$own['marketing_consent'] = 'yes' === $agreed;
		}
		return array_filter( $own, fn( $value ) => '' !== $value ) + (array) WC()->api->get_endpoint_data( '/wc/v3/orders/' . $order->get_id() );
	}
}
