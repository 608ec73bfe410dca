<?php
declare(strict_types=1);

namespace Tablegram;

defined( 'ABSPATH' ) || exit;

/** Carts: told of once somebody has said who they are, brought back by a link, ended by an order. */
final class Carts {
	public const RECOVER = 'tablegram-cart';
	private const TOKEN  = 'tablegram_token';
	private const AGREED = 'tablegram_agreed';

	public function __construct( private Settings $settings, private Outbox $outbox ) {}

	public function listen(): void {
		add_action( 'wp_loaded', array( $this, 'recover' ), 20 );
		if ( ! $this->settings->sends_carts() ) {
			return;
		}
		add_action( 'woocommerce_checkout_update_order_review', array( $this, 'typed' ) );
		add_action( 'woocommerce_store_api_cart_update_customer_from_request', array( $this, 'tell' ) );
		add_action( 'woocommerce_cart_updated', array( $this, 'tell_if_known' ) );
		add_action( 'woocommerce_cart_emptied', array( $this, 'emptied' ) );
		add_action( 'woocommerce_review_order_before_submit', array( $this, 'ask' ) );
	}

	/** The question whether they want to be reminded: nobody is asked twice, and nothing is ticked for them. */
	public function ask(): void {
		printf(
			'<p class="form-row"><label><input type="checkbox" name="%1$s" value="1"%2$s> %3$s</label></p>',
			esc_attr( self::AGREED ),
			WC()->session->get( self::AGREED ) ? ' checked' : '',
			esc_html__( 'Remind me by message if I leave something in my cart.', 'tablegram' )
		);
	}

	/** The classic checkout sends its form after each change. */
	public function typed( string $form ): void {
		wp_parse_str( $form, $fields );
		foreach ( array( 'first_name', 'last_name', 'phone', 'email', 'country' ) as $name ) {
			if ( isset( $fields[ "billing_$name" ] ) && is_string( $fields[ "billing_$name" ] ) ) {
				WC()->customer->{"set_billing_$name"}( sanitize_text_field( $fields[ "billing_$name" ] ) );
			}
		}
		WC()->session->set( self::AGREED, ! empty( $fields[ self::AGREED ] ) );
		$this->tell();
	}

	/** Later changes count only for somebody who has said who they are. */
	public function tell_if_known(): void {
		if ( WC()->session && WC()->session->get( self::TOKEN ) ) {
			$this->tell();
		}
	}

	public function tell(): void {
		global $wpdb;
		$body = $this->body();
		if ( null === $body ) {
			return;
		}
		$known = $wpdb->get_var( $wpdb->prepare( "SELECT told FROM {$wpdb->prefix}tablegram_carts WHERE token = %s", $body['token'] ) );
		$told  = hash( 'sha256', (string) wp_json_encode( array_diff_key( $body, array( 'date_modified_gmt' => 0 ) ) ) );
		if ( $known === $told ) {
			// Shops fire these hooks for every glance at the cart.
			return;
		}
		$wpdb->replace(
			"{$wpdb->prefix}tablegram_carts",
			array( 'token' => $body['token'], 'contents' => (string) wp_json_encode( $this->goods() ), 'told' => $told, 'changed_at' => time() )
		);
		$this->outbox->add( null === $known ? 'checkout.created' : 'checkout.updated', $body );
	}

	public function emptied(): void {
		$token = WC()->session ? (string) WC()->session->get( self::TOKEN ) : '';
		if ( '' !== $token ) {
			$this->outbox->add( 'checkout.deleted', array( 'token' => $token, 'date_modified_gmt' => gmdate( 'Y-m-d\TH:i:s' ) ) );
			$this->forget( $token );
		}
	}

	/** The cart has become an order: which one it was, and nothing of it stays. */
	public function became_order(): string {
		$token = WC()->session ? (string) WC()->session->get( self::TOKEN ) : '';
		if ( '' !== $token ) {
			$this->outbox->add( 'checkout.completed', array( 'token' => $token, 'date_modified_gmt' => gmdate( 'Y-m-d\TH:i:s' ) ) );
			$this->forget( $token );
		}
		return $token;
	}

	/** Whether they agreed to be reminded; nothing where nobody asked. */
	public function agreed(): ?bool {
		$said = WC()->session ? WC()->session->get( self::AGREED ) : null;
		return null === $said ? null : (bool) $said;
	}

	/** Somebody follows the link of a reminder. */
	public function recover(): void {
		global $wpdb;
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- it comes from a message, and changes a cart only.
		$token = isset( $_GET[ self::RECOVER ] ) ? sanitize_key( wp_unslash( $_GET[ self::RECOVER ] ) ) : '';
		if ( '' === $token || ! WC()->cart ) {
			return;
		}
		$kept = $wpdb->get_var( $wpdb->prepare( "SELECT contents FROM {$wpdb->prefix}tablegram_carts WHERE token = %s", $token ) );
		if ( is_string( $kept ) && WC()->cart->is_empty() ) {
			foreach ( (array) json_decode( $kept, true ) as $good ) {
				WC()->cart->add_to_cart( (int) $good['product'], (int) $good['quantity'], (int) $good['variation'], (array) $good['choices'] );
			}
			WC()->session->set( self::TOKEN, $token );
		}
		wp_safe_redirect( wc_get_checkout_url() );
		exit;
	}

	/** @return array<string, mixed>|null What is told of the cart; nothing while nobody can be reached. */
	private function body(): ?array {
		$customer = WC()->customer;
		if ( ! WC()->cart || ! $customer || WC()->cart->is_empty() || ( '' === $customer->get_billing_phone() && '' === $customer->get_billing_email() ) ) {
			return null;
		}
		$token = (string) WC()->session->get( self::TOKEN );
		if ( '' === $token ) {
			$token = strtolower( wp_generate_password( 32, false ) );
			WC()->session->set( self::TOKEN, $token );
		}
		$lines = array();
		foreach ( WC()->cart->get_cart() as $line ) {
			$lines[] = array(
				'name'     => $line['data']->get_name(),
				'quantity' => (int) $line['quantity'],
				'total'    => wc_format_decimal( $line['line_total'] + $line['line_tax'], wc_get_price_decimals() ),
			);
		}
		$agreed = $this->agreed();
		return array(
			'token'             => $token,
			'date_modified_gmt' => gmdate( 'Y-m-d\TH:i:s' ),
			'currency'          => get_woocommerce_currency(),
			'total'             => wc_format_decimal( WC()->cart->get_total( 'edit' ), wc_get_price_decimals() ),
			'recover_url'       => add_query_arg( self::RECOVER, $token, home_url( '/' ) ),
			'locale'            => determine_locale(),
			'billing'           => array(
				'first_name' => $customer->get_billing_first_name(),
				'last_name'  => $customer->get_billing_last_name(),
				'phone'      => $customer->get_billing_phone(),
				'email'      => $customer->get_billing_email(),
				'country'    => $customer->get_billing_country(),
			),
			'line_items'        => $lines,
		) + ( null === $agreed ? array() : array( 'marketing_consent' => $agreed ) );
	}

	/** @return list<array<string, mixed>> What has to be known to fill the cart again. */
	private function goods(): array {
		$goods = array();
		foreach ( WC()->cart->get_cart() as $line ) {
			$goods[] = array(
				'product'   => $line['product_id'],
				'variation' => $line['variation_id'],
				'quantity'  => $line['quantity'],
				'choices'   => $line['variation'],
			);
		}
		return $goods;
	}

	private function forget( string $token ): void {
		global $wpdb;
		$wpdb->delete( "{$wpdb->prefix}tablegram_carts", array( 'token' => $token ) );
		WC()->session->set( self::TOKEN, null );
	}
}
